import { sha256 } from '@noble/hashes/sha2'
import { fromHex, toHex, transactionDigest, type Hex, type TxMetadata } from '@perigee/core'
import { ownersHash, signingIntent, transactionIntent, type OwnersRecord } from '@perigee/core/authorisation'
import type {
  ChangeOwnersRequest,
  CreateKeyAnswer,
  CreateKeyRequest,
  ResealKeyRequest,
  SealedKey,
  SignMessageRequest,
  SignTransactionRequest,
} from '@perigee/core/enclave'
import { messageKinds, parseMessage, requestHash, type Message } from '@perigee/core/message'
import type { SoftCoordinator, StatementParts } from '../../core/authorisation/testing/createCoordinator.js'
import type { SoftPasskey, SoftRecovery } from '../../core/authorisation/testing/createSoftPasskey.js'
import { approveOwners, ownersOf } from '../../core/authorisation/testing/softOwners.js'
import { newTransaction, randomHex, type Satellite } from './createTestWorld.js'

/** Who asks: the coordinator that signs statements, and the source of samples. A `TestWorld` is one. */
export interface Asker {
  satellite: Satellite
  coordinator: SoftCoordinator
}

/** A sealed key as the service stores it, with the person it belongs to. */
export interface TestWallet extends SealedKey {
  subject: Hex
}

/** For nobody's passkey, or for these: each approves the record. */
export function createKeyRequest(
  { satellite, coordinator }: Asker,
  { passkeys = [], recovery = null, subject = randomHex(32) }: { passkeys?: SoftPasskey[]; recovery?: SoftRecovery | null; subject?: Hex } = {}, // prettier-ignore
): CreateKeyRequest {
  const owners = passkeys.length === 0 ? null : ownersOf(passkeys, { recovery })
  const approval = owners && approveOwners(owners, { passkeys })
  return {
    entropy: satellite.sample(),
    nonce: randomHex(32),
    coordinator: coordinator.evidence,
    statement: coordinator.state({ kind: 'create-key', subject, digest: ownersHash(owners), approval }),
    owners,
    approval,
  }
}

export const walletOf = ({ statement, owners }: CreateKeyRequest, answer: CreateKeyAnswer): TestWallet => ({
  keyId: answer.keyId,
  address: answer.address,
  sealedKey: answer.sealedKey,
  subject: statement.subject,
  owners,
  since: owners && 'creation',
})

/** What every request about a wallet has: its sealed key, and a statement that somebody asked for exactly this. */
function asked(
  wallet: TestWallet,
  { coordinator }: Pick<Asker, 'coordinator'>,
  about: Omit<StatementParts, 'subject'>,
) {
  const { sealedKey, keyId, address, owners, since, subject } = wallet
  const statement = coordinator.state({ subject, address, ...about })
  return {
    sealedKey,
    keyId,
    address,
    owners,
    since,
    nonce: randomHex(32),
    coordinator: coordinator.evidence,
    statement,
  }
}

/** With the approval of `passkey`, if given. */
export function signRequest(
  wallet: TestWallet,
  asker: Asker,
  { transaction = newTransaction(), passkey }: { transaction?: TxMetadata; passkey?: SoftPasskey | undefined } = {},
): SignTransactionRequest {
  const { address, owners } = wallet
  const { chainId } = transaction
  const digest = transactionDigest(transaction)
  const approval = passkey && owners ? passkey.approve(transactionIntent(address, owners, chainId, digest)) : null
  const request = asked(wallet, asker, { kind: 'sign-transaction', digest, chainId, approval })
  return { ...request, transaction, digest, entropy: asker.satellite.sample(), approval }
}

/** With the approval of `passkey`, if given. */
export function signMessageRequest(
  wallet: TestWallet,
  asker: Asker,
  message: Message,
  { passkey, salt = randomHex(32) }: { passkey?: SoftPasskey | undefined; salt?: Hex } = {},
): SignMessageRequest {
  const { address, owners } = wallet
  const kind = messageKinds[message.scheme]
  const digest = requestHash({ scheme: message.scheme, digest: parseMessage(message).digest, salt })
  const approval =
    passkey && owners ? passkey.approve(signingIntent(address, owners, { kind, chainId: 0, digest })) : null
  const request = asked(wallet, asker, { kind: `sign-${kind}`, digest, approval })
  return { ...request, message, salt, entropy: asker.satellite.sample(), approval }
}

/** With the approval of everyone in `by`. */
export function changeOwnersRequest(
  wallet: TestWallet,
  asker: Pick<Asker, 'coordinator'>,
  next: OwnersRecord,
  by: { passkeys: SoftPasskey[]; recovery?: SoftRecovery | null },
): ChangeOwnersRequest {
  const approval = approveOwners(next, by, { address: wallet.address, current: wallet.owners })
  const request = asked(wallet, asker, { kind: 'change-owners', digest: ownersHash(next), approval })
  return { ...request, next, approval }
}

/** The same key under the enclave's current version. */
export const resealKeyRequest = (wallet: TestWallet, asker: Pick<Asker, 'coordinator'>): ResealKeyRequest =>
  asked(wallet, asker, { kind: 'reseal-key', digest: toHex(sha256(fromHex(wallet.sealedKey))) })
