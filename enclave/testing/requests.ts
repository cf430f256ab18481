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
import type { SoftCoordinator } from '../../core/authorisation/testing/createCoordinator.js'
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

const sealedKeyOf = ({ sealedKey, keyId, address, owners, since }: TestWallet): SealedKey => ({
  sealedKey,
  keyId,
  address,
  owners,
  since,
})

/** With the approval of `passkey`, if given. */
export function signRequest(
  wallet: TestWallet,
  { satellite, coordinator }: Asker,
  { transaction = newTransaction(), passkey }: { transaction?: TxMetadata; passkey?: SoftPasskey | undefined } = {},
): SignTransactionRequest {
  const { subject, address, owners } = wallet
  const { chainId } = transaction
  const digest = transactionDigest(transaction)
  const approval = passkey && owners ? passkey.approve(transactionIntent(address, owners, chainId, digest)) : null
  return {
    ...sealedKeyOf(wallet),
    transaction,
    digest,
    entropy: satellite.sample(),
    nonce: randomHex(32),
    coordinator: coordinator.evidence,
    statement: coordinator.state({ kind: 'sign-transaction', subject, address, digest, chainId, approval }),
    approval,
  }
}

/** With the approval of `passkey`, if given. */
export function signMessageRequest(
  wallet: TestWallet,
  { satellite, coordinator }: Asker,
  message: Message,
  { passkey, salt = randomHex(32) }: { passkey?: SoftPasskey | undefined; salt?: Hex } = {},
): SignMessageRequest {
  const { subject, address, owners } = wallet
  const kind = messageKinds[message.scheme]
  const digest = requestHash({ scheme: message.scheme, digest: parseMessage(message).digest, salt })
  const approval =
    passkey && owners ? passkey.approve(signingIntent(address, owners, { kind, chainId: 0, digest })) : null
  return {
    ...sealedKeyOf(wallet),
    message,
    salt,
    entropy: satellite.sample(),
    nonce: randomHex(32),
    coordinator: coordinator.evidence,
    statement: coordinator.state({ kind: `sign-${kind}`, subject, address, digest, approval }),
    approval,
  }
}

/** With the approval of everyone in `by`. */
export function changeOwnersRequest(
  wallet: TestWallet,
  { coordinator }: Pick<Asker, 'coordinator'>,
  next: OwnersRecord,
  by: { passkeys: SoftPasskey[]; recovery?: SoftRecovery | null },
): ChangeOwnersRequest {
  const { subject, address, owners } = wallet
  const approval = approveOwners(next, by, { address, current: owners })
  const digest = ownersHash(next)
  return {
    ...sealedKeyOf(wallet),
    next,
    approval,
    nonce: randomHex(32),
    coordinator: coordinator.evidence,
    statement: coordinator.state({ kind: 'change-owners', subject, address, digest, approval }),
  }
}

/** The same key under the enclave's current version. */
export function resealKeyRequest(wallet: TestWallet, { coordinator }: Pick<Asker, 'coordinator'>): ResealKeyRequest {
  const { subject, address } = wallet
  const digest = toHex(sha256(fromHex(wallet.sealedKey)))
  return {
    ...sealedKeyOf(wallet),
    nonce: randomHex(32),
    coordinator: coordinator.evidence,
    statement: coordinator.state({ kind: 'reseal-key', subject, address, digest }),
  }
}
