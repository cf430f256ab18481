import type { Hex, TxMetadata } from '@perigee/core'
import { transactionDigest } from '@perigee/core'
import type { PasskeyApproval } from '@perigee/core/authorisation'
import { realDeps } from '../../api/testing/realDeps.js'
import type { Browser } from '../../api/testing/Browser.js'
import { startTestApi } from '../rigs/api/startTestApi.js'
import type { SoftPasskey } from '../../core/authorisation/testing/createSoftPasskey.js'
import { approveOwners, ownersOf } from '../../core/authorisation/testing/softOwners.js'
import { findWallet, findWalletByUser, type Wallet } from '../../database/index.js'
import { newTransaction } from '../../enclave/testing/createTestWorld.js'
import { startService } from '../rigs/workers/startService.js'

/** Somebody who is signed in and has a wallet. */
export interface Person {
  browser: Browser
  userId: string
  wallet: Wallet
}

/** The whole service with an API in front, and people in it. */
export async function startAuthority() {
  const service = await startService()
  await service.startWorkers(['sign'])
  const api = await startTestApi({ deps: realDeps(service) })
  let people = 0

  const walletOf = async (userId: string): Promise<Wallet> => {
    const known = await findWalletByUser(service.database, userId)
    const wallet = known && (await findWallet(service.database, known.id))
    if (!wallet) throw new Error('no wallet')
    return wallet
  }

  return {
    service,
    api,
    walletOf,

    async newPerson(): Promise<Person & { email: string }> {
      const email = `person-${++people}@example.test`
      const browser = await api.signIn(email)
      const provisioned = await api.post(browser, '/wallet/provision')
      if (provisioned.status !== 200) throw new Error(await provisioned.text())
      const { id: userId } = (await (await browser.fetch(`${api.url}/auth/me`)).json()) as { id: string }
      return { email, browser, userId, wallet: await walletOf(userId) }
    },

    /** Puts a passkey's owner into this person's wallet, by the API. */
    async claim({ browser, wallet }: Person, passkey: SoftPasskey): Promise<void> {
      const owners = ownersOf([passkey])
      const approval = approveOwners(owners, { passkeys: [passkey] }, { address: wallet.address })
      const credentials = [{ publicKey: passkey.publicKey, id: 'cGhvbmU' }]
      const claimed = await api.post(browser, '/wallet/owners', { owners, approval, credentials })
      if (claimed.status !== 200) throw new Error(await claimed.text())
    },

    /** Asks the API for a signature. `signed`, or the code of the refusal. */
    async sign(
      browser: Browser,
      { transaction = newTransaction(), authorisation }: { transaction?: TxMetadata; authorisation?: PasskeyApproval } = {}, // prettier-ignore
    ): Promise<string> {
      const body = { digest: transactionDigest(transaction), txMetadata: transaction, ...(authorisation && { authorisation }) } // prettier-ignore
      const answer = await api.post(browser, '/sign/digest', body)
      return answer.status === 200 ? 'signed' : ((await answer.json()) as { code: string }).code
    },

    /** How many signatures this wallet has given. */
    async signatures(address: Hex): Promise<number> {
      const [row] = await service.database.query<{ n: number }[]>(
        `SELECT count(*)::int AS n FROM transactions t JOIN wallets w ON w.id = t.wallet_id WHERE w.address = $1`,
        [address],
      )
      return row?.n ?? 0
    },

    async close(): Promise<void> {
      await api.close()
      await service.close()
    },
  }
}

export type Authority = Awaited<ReturnType<typeof startAuthority>>

/** `accepted`, or the code of the refusal, wherever it was made. */
export const codeOf = (promise: Promise<unknown>): Promise<string> =>
  promise.then(
    () => 'accepted',
    (error: unknown) => String(codeIn(error) ?? (error instanceof Error ? error.message : error)),
  )

function codeIn(error: unknown): unknown {
  if (typeof error !== 'object' || error === null) return undefined
  const { code, type, cause } = error as { code?: unknown; type?: unknown; cause?: unknown }
  return [code, type].find((name) => typeof name === 'string') ?? codeIn(cause)
}
