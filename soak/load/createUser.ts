import type { Hex, TxMetadata, WalletInfo } from '@perigee/core'
import { transactionDigest } from '@perigee/core'
import { signIn, type CookieJar } from '../../tests/thread/signIn.js'

export interface SoakUser {
  index: number
  email: string
  wallet: Hex
  /** Headers of a browser that is signed in. */
  headers(): Record<string, string>
  signInAgain(): Promise<void>
  /** A transaction that was never asked for before. */
  nextTransaction(): { digest: Hex; txMetadata: TxMetadata }
  /** Cookie values of every session this user ever had. */
  cookies: Set<string>
}

export interface UserOptions {
  index: number
  email: string
  apiUrl: string
  webUrl: string
  chainId: number
  /** Sent along in a cookie and a header that nobody should ever write down. */
  canary: string
}

/** A person with a wallet, signed in through the identity provider. */
export async function createUser(options: UserOptions): Promise<SoakUser> {
  const { index, email, apiUrl, webUrl, chainId, canary } = options
  const cookies = new Set<string>()
  let jar: CookieJar
  let nonce = 0
  const signInAgain = async () => {
    const taken = await signIn(apiUrl, email, `${webUrl}/`)
    // A sign-in that failed comes back to the web app too, with an error and without a session.
    const pairs = taken.header().split('; ').filter(Boolean)
    if (pairs.length === 0) throw new Error('the sign-in was refused')
    for (const pair of pairs) cookies.add(pair.slice(pair.indexOf('=') + 1))
    jar = taken
  }
  await signInAgain()
  const headers = () => ({
    cookie: `${jar.header()}; canary=${canary}`,
    origin: new URL(webUrl).origin,
    'content-type': 'application/json',
    authorization: `Bearer ${canary}`,
  })
  const answer = await fetch(`${apiUrl}/wallet/provision`, { method: 'POST', headers: headers() })
  if (!answer.ok) throw new Error(`no wallet: ${answer.status} ${await answer.text()}`)
  const { address } = (await answer.json()) as WalletInfo
  return {
    ...{ index, email, headers, signInAgain, cookies, wallet: address.toLowerCase() as Hex },
    nextTransaction() {
      const txMetadata: TxMetadata = {
        chainId,
        nonce: nonce++,
        ...{ to: '0x00000000000000000000000000000000000000bb', value: String(index + 1), data: '0x', gas: '21000' },
        ...{ maxFeePerGas: '3000000000', maxPriorityFeePerGas: '1000000000' },
      }
      return { txMetadata, digest: transactionDigest(txMetadata) }
    },
  }
}
