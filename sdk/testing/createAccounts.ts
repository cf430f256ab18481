import { keccak256, serializeSignature, toHex, zeroAddress, type Hex } from 'viem'
import { generatePrivateKey, privateKeyToAccount, sign, type PrivateKeyAccount } from 'viem/accounts'
import { digestOf, serialize } from '../client/signing/buildTransaction.js'
import { ownersHash } from '../passkeys/encode.js'
import type {
  Intent,
  OwnersChange,
  PasskeyApproval,
  SessionUser,
  SignDigestResult,
  TxMetadata,
  WalletInfo,
  WalletOwners,
} from '../types.js'
import { checkChange, checkPasskey } from './checkApproval.js'
import type { SignedRecord } from './makeReceipt.js'
import { Problem } from './Problem.js'

export interface Wallet {
  info: WalletInfo
  key: Hex
  account: PrivateKeyAccount
  answers: Map<string, SignDigestResult>
  owned: Pick<WalletOwners, 'owners' | 'since' | 'credentials'>
}

type Asked = Pick<Intent, 'kind' | 'chainId' | 'digest'>

/** People, sessions and wallets. Keys are real secp256k1 keys that live as long as this object. */
export function createAccounts(chainId: number) {
  const users = new Map<string, SessionUser>()
  const sessions = new Map<string, SessionUser>()
  const wallets = new Map<string, Wallet>()

  function signIn(email: string): string {
    const user = users.get(email) ?? { id: crypto.randomUUID(), email, name: email.split('@')[0] ?? null }
    users.set(email, user)
    const session = crypto.randomUUID()
    sessions.set(session, user)
    return session
  }

  function userOf(session: string | undefined): SessionUser {
    const user = session === undefined ? undefined : sessions.get(session)
    if (!user) throw new Problem(401, 'not_signed_in', 'Sign in first.')
    return user
  }

  async function provision(user: SessionUser, change?: OwnersChange): Promise<Wallet> {
    const existing = wallets.get(user.id)
    if (existing) return existing
    if (change) await checkChange(change, zeroAddress, null)
    const key = generatePrivateKey()
    const account = privateKeyToAccount(key)
    const entropyHash = keccak256(toHex(crypto.randomUUID()))
    const provenance = { entropyHash, entropySig: keccak256(entropyHash), satelliteSource: 'in-memory' }
    const info = { address: account.address, createdAt: new Date().toISOString(), provenance }
    const owned = { owners: null, since: null, credentials: [] }
    const wallet: Wallet = { info, key, account, answers: new Map(), owned }
    if (change) setOwners(wallet, change, 'creation')
    wallets.set(user.id, wallet)
    return wallet
  }

  function setOwners(wallet: Wallet, { owners, credentials }: OwnersChange, since: 'creation' | 'upgrade'): void {
    const known = new Map(wallet.owned.credentials.map((one) => [one.publicKey, one]))
    const addedAt = new Date().toISOString()
    for (const { publicKey, id, label = null } of credentials) known.set(publicKey, { publicKey, id, label, addedAt })
    const kept = owners.credentials.flatMap(({ publicKey }) => known.get(publicKey) ?? [])
    wallet.owned = { owners, since: wallet.owned.since ?? since, credentials: kept }
  }

  async function ownersOf({ info, owned }: Wallet): Promise<WalletOwners> {
    return { address: info.address, ...owned, ownersHash: ownersHash(owned.owners) }
  }

  async function changeOwners(user: SessionUser, change: OwnersChange): Promise<WalletOwners> {
    const wallet = walletOf(user)
    await checkChange(change, wallet.info.address, wallet.owned.owners)
    setOwners(wallet, change, 'upgrade')
    return ownersOf(wallet)
  }

  function walletOf(user: SessionUser): Wallet {
    const wallet = wallets.get(user.id)
    if (!wallet) throw new Problem(404, 'wallet_not_found', 'This person has no wallet yet.')
    return wallet
  }

  /** Signs once per wallet and digest; asked again, gives the same answer. */
  async function signDigest(
    user: SessionUser,
    body: { digest?: unknown; txMetadata?: TxMetadata; authorisation?: PasskeyApproval },
    onSigned: (slug: string, record: SignedRecord) => void,
  ): Promise<SignDigestResult> {
    const { address } = walletOf(user).info
    const { key, account, answers } = walletOf(user)
    const { digest, txMetadata: transaction } = body
    const expected = transaction && attempt(() => digestOf(transaction))
    if (!transaction || !expected) throw new Problem(422, 'transaction_invalid', 'txMetadata is not a transaction.')
    if (digest !== expected) throw new Problem(422, 'digest_mismatch', 'digest is not that of txMetadata.')
    if (transaction.chainId !== chainId) throw new Problem(422, 'chain_not_allowed', 'This chain is not served.')
    await checkOwner(walletOf(user), { kind: 'transaction', chainId, digest: expected }, body.authorisation)
    const earlier = answers.get(digest)
    if (earlier) return earlier
    const slug = toHex(crypto.getRandomValues(new Uint8Array(16))).slice(2)
    const signature = serializeSignature(await sign({ hash: expected, privateKey: key }))
    const again = answers.get(digest) // an identical request may have finished first
    if (again) return again
    answers.set(digest, { signature, slug })
    const txHash = keccak256(serialize(transaction, signature))
    const { publicKey } = account
    const passkey = approvedBy(walletOf(user), body.authorisation)
    const signedAt = new Date()
    onSigned(slug, { address, publicKey, transaction, digest: expected, signature, txHash, signedAt, passkey })
    return { signature, slug }
  }

  async function checkOwner(wallet: Wallet, asked: Asked, approval?: PasskeyApproval): Promise<void> {
    const { owners } = wallet.owned
    if (!owners && approval) throw new Problem(422, 'authorisation_invalid', 'This wallet has no owners.')
    if (!owners) return
    if (!approval) throw new Problem(403, 'authorisation_required', 'One of the owners must approve.')
    await checkPasskey(approval, owners, {
      ...asked,
      address: wallet.info.address,
      ownersHash: ownersHash(owners),
    })
  }

  return {
    signIn,
    signOut: (session: string) => sessions.delete(session),
    userOf,
    provision,
    walletOf,
    ownersOf: (user: SessionUser) => ownersOf(walletOf(user)),
    changeOwners,
    signDigest,
    checkOwner,
  }
}

/** Which owner approved, as a receipt shows it. */
export function approvedBy({ owned }: Wallet, approval?: PasskeyApproval): SignedRecord['passkey'] {
  const { owners, since } = owned
  return approval && owners && since ? { ...approval, owners, since } : null
}

function attempt<T>(work: () => T): T | undefined {
  try {
    return work()
  } catch {
    return undefined
  }
}
