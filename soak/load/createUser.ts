import { randomBytes } from 'node:crypto'
import { toHex, transactionDigest, type Hex, type TxMetadata, type WalletInfo } from '@perigee/core'
import { signingIntent, type OwnersRecord, type PasskeyApproval, type Signable } from '@perigee/core/authorisation'
import { parseMessage, requestHash } from '@perigee/core/message'
import { createSoftPasskey, type SoftPasskey } from '../../core/authorisation/testing/createSoftPasskey.js'
import { approveOwners, ownersOf } from '../../core/authorisation/testing/softOwners.js'
import { newTransaction } from '../../enclave/testing/createTestWorld.js'
import { fund } from '../../tests/harness/index.js'
import type { Browser } from '../../api/testing/Browser.js'
import { sessionCookieName } from '../../api/sessions/createSessions.js'
import { sessionHeaders, signIn } from '../../dev/signIn.js'
import type { StackFile } from '../../dev/stack/stackFile.js'
import { patiently } from '../../tests/rigs/patiently.js'

/** Something that a user asks to have signed. `hash`: a transaction's digest, or a message's request hash. */
export type Asked =
  | { kind: 'transaction'; hash: Hex; txMetadata: TxMetadata }
  | { kind: 'message'; hash: Hex; message: { scheme: 'eip191'; message: Hex }; salt: Hex; signedHash: Hex }

export interface UserOptions extends Pick<StackFile, 'apiUrl' | 'webUrl' | 'chainId' | 'rpcUrl'> {
  index: number
  email: string
  /** Sent in a cookie and a header, which must never be logged. */
  canary: string
  /** Part of every message that is signed, which nobody may store unencrypted. */
  messageCanary: string
  /** Whether the wallet has an owner, who approves each signature. */
  passkey: boolean
}

/** A user with a funded wallet, signed in through the identity provider. */
export async function createUser(options: UserOptions) {
  const { index, email, apiUrl, webUrl, chainId, rpcUrl, canary, messageCanary } = options
  const cookies = new Set<string>()
  let browser: Browser
  let nonce = 0
  let unsent = 0
  const signInAgain = async () => {
    const taken = await signIn(apiUrl, email, `${webUrl}/`)
    const session = taken.cookie(new URL(apiUrl).hostname, sessionCookieName)
    if (!session) throw new Error('the sign-in gave no session')
    cookies.add(session.value)
    browser = taken
  }
  await signInAgain()
  const headers = (): Record<string, string> => {
    const { cookie, ...rest } = sessionHeaders(browser, options)
    return { ...rest, cookie: `${cookie}; canary=${canary}`, authorization: `Bearer ${canary}` }
  }
  async function post(path: string, body?: object): Promise<unknown> {
    const content = body && { body: JSON.stringify(body) }
    const answer = await fetch(`${apiUrl}${path}`, { method: 'POST', headers: headers(), ...content })
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`)
    return answer.json()
  }
  const { address } = (await post('/wallet/provision')) as WalletInfo
  const wallet = address.toLowerCase() as Hex
  const newPasskey = () => createSoftPasskey({ origin: new URL(webUrl).origin })
  const passkey = options.passkey ? newPasskey() : null
  let owners: OwnersRecord | null = null
  /** Signed by all of them, because new ones must sign too. */
  async function setOwners(...passkeys: SoftPasskey[]): Promise<void> {
    const next = ownersOf(passkeys, { current: owners })
    const approval = approveOwners(next, { passkeys }, { address: wallet, current: owners })
    const credentials = next.credentials.map(({ publicKey }) => ({ publicKey, id: 'c29haw', label: 'soak' }))
    await post('/wallet/owners', { owners: next, approval, credentials })
    owners = next
  }
  if (passkey) await setOwners(passkey)
  const fundWallet = () => fund(wallet, '1000', rpcUrl)
  await fundWallet()
  return {
    index,
    email,
    wallet,
    /** Headers of a browser with a session. */
    headers,
    signInAgain,
    /** Cookie values of all sessions of this user. */
    cookies,
    /** Gives the wallet money, at first and when a reorg or a killed node has taken it away. */
    fund: fundWallet,
    /** A new transaction. One that will not be broadcast takes no nonce away from the next. */
    nextTransaction(sends: boolean) {
      const txMetadata = newTransaction({
        chainId,
        nonce: sends ? nonce++ : nonce,
        value: String(sends ? index + 1 : (index + 1_000) * 1_000_000 + unsent++), // no two users ask for the same; hostile ones count down from -1
        maxFeePerGas: '20000000000',
      })
      return { kind: 'transaction' as const, txMetadata, hash: transactionDigest(txMetadata) }
    },
    nextMessage: () => newMessage(`${messageCanary} ${randomBytes(8).toString('hex')}`),
    hasOwner: passkey !== null,
    /** Adds a device, in place of the one that was added before. */
    async changeOwners(): Promise<void> {
      if (!passkey) throw new Error('only an owner can change owners')
      const added = newPasskey()
      await patiently(() => setOwners(passkey, added))
    },
    /** The approval of the user's passkey; null for a wallet without owners. */
    approve: (asked: Asked): PasskeyApproval | null =>
      passkey && owners && passkey.approve(signingIntent(wallet, owners, signableOf(asked))),
  }
}

export type SoakUser = Awaited<ReturnType<typeof createUser>>

/** An address that nobody has yet. */
export const newEmail = (name: string) => `${name}-${randomBytes(4).toString('hex')}@example.test`

/** A message to sign, under a salt of its own. */
export function newMessage(text: string): Asked & { kind: 'message' } {
  const message = { scheme: 'eip191', message: toHex(new TextEncoder().encode(text)) } as const
  const salt = toHex(randomBytes(32))
  const { digest: signedHash } = parseMessage(message)
  const hash = requestHash({ scheme: message.scheme, digest: signedHash, salt })
  return { kind: 'message', message, salt, signedHash, hash }
}

function signableOf(asked: Asked): Signable {
  if (asked.kind === 'transaction') {
    return { kind: 'transaction', digest: asked.hash, chainId: asked.txMetadata.chainId }
  }
  return { kind: 'message', digest: asked.hash, chainId: 0 }
}
