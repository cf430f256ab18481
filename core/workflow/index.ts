import type {
  KnownCredential,
  OwnersApproval,
  OwnersRecord,
  PasskeyApproval,
  SignedStatement,
} from '../authorisation/index.js'
import type { Hex } from '../bytes/index.js'
import type { Message } from '../message/index.js'
import type { ProofStatus } from '../proof/index.js'
import type { CoordinatorPart } from '../receipt/AnyReceipt.js'
import type { TxMetadata } from '../transaction/TxMetadata.js'
import type { PublishReceiptInput } from './publications.js'

export { priorities } from './priorities.js'
export { remedyFor, type Remedy } from './remedyFor.js'
export { refusalIn, refusedPayload } from './refusedPayload.js'
export { proofAttributes, proofKeys, searchAttributeTypes, summaryOf } from './publications.js'
export type { PublishReceiptInput }

/** Names on the wire between clients, workflows and workers. They are kept in histories: add, never rename. */

/**
 * `sign` answers callers, `publish` pins, `chain` talks to the chain, `webhooks` talks to applications. Each may have its
 * own processes; `webhooks` is served where `WEBHOOKS_FILE` is set.
 */
export const taskQueues = { sign: 'sign', publish: 'publish', chain: 'chain', webhooks: 'webhooks' } as const

/** How long a killed worker can hold a run, or its caller, up: after this the server gives the workflow task to another. */
export const workflowTaskTimeout = '5s'

export const workflowTypes = {
  provisionWallet: 'provisionWallet',
  signDigest: 'signDigest',
  signMessage: 'signMessage',
  publishReceipt: 'publishReceipt',
  repairProofs: 'repairProofs',
  anchorAuditLog: 'anchorAuditLog',
  applyRetention: 'applyRetention',
  changeOwners: 'changeOwners',
  resealWallet: 'resealWallet',
  deliverWebhook: 'deliverWebhook',
} as const

/** Ids hold random or hashed values only: they are not encrypted. */
export const workflowIds = {
  wallet: (userId: string) => `wallet/${userId}`,
  sign: (walletId: string, digest: Hex) => `sign/${walletId}/${digest}`,
  message: (walletId: string, requestHash: Hex) => `message/${walletId}/${requestHash}`,
  receipt: (slug: string) => `receipt/${slug}`,
  reseal: (walletId: string, version: number) => `reseal/${walletId}/${version}`,
  owners: (walletId: string, sequence: number) => `owners/${walletId}/${sequence}`,
  webhook: (eventId: string, application: string) => `webhook/${eventId}/${application}`,
} as const

/** True for the id of a workflow whose payloads hold a user's message: nobody but a worker reads them. */
export const isPrivateWorkflow = (workflowId: string): boolean => workflowId.startsWith('message/')

export const messages = {
  sign: 'sign',
  proof: 'proof',
  retryPublish: 'retryPublish',
  abandonPublish: 'abandonPublish',
  retryPublishAll: 'retryPublishAll',
} as const

/**
 * What the API states about a request, and the attestation that makes the statement worth something. Workflows and
 * workers pass both on; neither can make them.
 */
export interface Stated {
  /** As it goes into the receipt. */
  coordinator: CoordinatorPart
  statement: SignedStatement
}

/** Owners of a wallet, their agreement, and what the service remembers about their passkeys. */
export interface NewOwners {
  owners: OwnersRecord
  approval: OwnersApproval
  credentials: KnownCredential[]
}

export interface ProvisionWalletInput extends Stated {
  userId: string
  /** Null for a wallet that needs no passkey. */
  owned: NewOwners | null
}

/** A committed wallet, and the publication of its birth; null when that is complete. */
export interface ProvisionedWallet extends ProvisionWalletResult {
  birth: PublishReceiptInput | null
}

/** Result of `provisionWallet`. The wallet itself is in the database; history holds its name only. */
export interface ProvisionWalletResult {
  walletId: string
  address: Hex
}

/** What every request to sign carries. */
export interface SigningInput extends Stated {
  walletId: string
  /** Null for a wallet without owners. */
  approval: PasskeyApproval | null
  /** Milliseconds since 1970. Nothing is signed after it: the caller has given up. */
  expiresAtMs: number
}

export interface SignDigestInput extends SigningInput {
  digest: Hex
  transaction: TxMetadata
}

export interface SignMessageInput extends SigningInput {
  /** Commits to message and salt. */
  requestHash: Hex
  message: Message
  salt: Hex
}

/** A request to sign, as the steps that both kinds share take it. */
export type SigningRequest = ({ kind: 'transaction' } & SignDigestInput) | ({ kind: 'message' } & SignMessageInput)

/** What callers of `signDigest` and `signMessage` get. */
export interface SignDigestResult {
  signature: Hex
  slug: string
}

export interface ChangeOwnersInput extends Stated, NewOwners {
  walletId: string
}

/** Result of `changeOwners`: whose wallet it is now. */
export interface ChangeOwnersResult {
  ownersHash: Hex
}

/** Seals a wallet's key under this version of the sealing key. */
export interface ResealWalletInput extends Stated {
  walletId: string
  version: number
}

/** Result of `resealWallet`: the version under which the key is sealed now. */
export interface ResealWalletResult {
  version: number
  /** Whether the seal of this run is in the record; absent when it made none. */
  recorded?: boolean
}

/** A committed signature, with the names its publication needs. All but the signature of a message is public or will be. */
export interface CommittedSignature extends SignDigestResult, PublishReceiptInput {}

/** Answer of the `proof` query: the part of a proof that changes. */
export interface ProofProgress {
  slug: string
  status: ProofStatus
  /** ISO 8601, when `status` was entered. */
  since: string
  ipfsCid: string | null
  onchainTxHash: Hex | null
  onchainBlockNumber: number | null
  /** Code of the last failure; null once the proof has moved on. */
  failure: string | null
}

/** Argument of `retryPublish` and `abandonPublish`. It stays in history, so no names or addresses of people. */
export interface OperatorRequest {
  operator: string
  reason: string
}

/** Argument of `anchorAuditLog`; the schedule gives none. */
export interface AnchorInput {
  /** An operator knows why the log does not continue from its last anchor: anchor it as it is. */
  acceptFault?: boolean
}

/** Result of `anchorAuditLog`: the head that is published, and where. */
export interface AnchorResult {
  sequence: number
  cid: string
  onchainTxHash: Hex
  onchainBlockNumber: number
}

/** Where the search for orphans continues: after this proof. */
export interface OrphanCursor {
  createdAt: string
  slug: string
}

/** Result of `repairProofs`; at most twenty slugs of each kind. */
export interface RepairResult {
  /** Unfinished proofs that were looked at. */
  seen: number
  /** Of those, orphans: their workflow was missing and has been started. */
  started: string[]
  /** Proofs that should be terminal by now. */
  overdue: string[]
  /** Proofs whose block a reorg removed: they were complete and are under way again. */
  reopened: string[]
  /** CIDs that too few IPFS nodes hold. */
  shortOfPins: string[]
}

/** One event for one application. What it says is in the database. */
export interface DeliverWebhookInput {
  eventId: string
  application: string
}
