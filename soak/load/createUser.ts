import { transactionDigest, type Hex, type TxMetadata, type WalletInfo } from '@perigee/core'
import { newTransaction } from '../../enclave/testing/createTestWorld.js'
import { fund } from '../../tests/harness/index.js'
import { sessionHeaders, signIn, type CookieJar } from '../../tests/thread/signIn.js'

export interface SoakUser {
  index: number
  email: string
  wallet: Hex
  /** Headers of a browser with a session. */
  headers(): Record<string, string>
  signInAgain(): Promise<void>
  /** A new transaction. One that will not be broadcast takes no nonce away from the next. */
  nextTransaction(sends: boolean): { digest: Hex; txMetadata: TxMetadata }
  /** Cookie values of all sessions of this user. */
  cookies: Set<string>
}

export interface UserOptions {
  index: number
  email: string
  apiUrl: string
  webUrl: string
  chainId: number
  rpcUrl: string
  /** Sent in a cookie and a header, which must never be logged. */
  canary: string
}

/** A user with a funded wallet, signed in through the identity provider. */
export async function createUser(options: UserOptions): Promise<SoakUser> {
  const { index, email, apiUrl, webUrl, chainId, rpcUrl, canary } = options
  const cookies = new Set<string>()
  let jar: CookieJar
  let nonce = 0
  let unsent = 0
  const signInAgain = async () => {
    const taken = await signIn(apiUrl, email, `${webUrl}/`)
    // A failed sign-in ends at the web app too, with an error and without a session.
    const pairs = taken.header().split('; ').filter(Boolean)
    if (pairs.length === 0) throw new Error('the sign-in was refused')
    for (const pair of pairs) cookies.add(pair.slice(pair.indexOf('=') + 1))
    jar = taken
  }
  await signInAgain()
  const headers = () => ({
    ...sessionHeaders(jar, options),
    cookie: `${jar.header()}; canary=${canary}`,
    authorization: `Bearer ${canary}`,
  })
  const answer = await fetch(`${apiUrl}/wallet/provision`, { method: 'POST', headers: headers() })
  if (!answer.ok) throw new Error(`no wallet: ${answer.status} ${await answer.text()}`)
  const { address } = (await answer.json()) as WalletInfo
  await fund(address as Hex, '1000', rpcUrl)
  return {
    index,
    email,
    headers,
    signInAgain,
    cookies,
    wallet: address.toLowerCase() as Hex,
    nextTransaction(sends) {
      const txMetadata = newTransaction({
        chainId,
        nonce: sends ? nonce++ : nonce,
        value: String(sends ? index + 1 : 1_000 + unsent++),
        maxFeePerGas: '20000000000',
      })
      return { txMetadata, digest: transactionDigest(txMetadata) }
    },
  }
}
