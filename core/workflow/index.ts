import type { Hex } from '../bytes/index.js'
import type { ProofStatus } from '../proof/index.js'
import type { TxMetadata } from '../transaction/TxMetadata.js'

/** Names on the wire between clients, workflows and workers. They are kept in histories: add, never rename. */

/** `sign` answers callers, `publish` pins, `chain` talks to the chain. Each may have processes of its own. */
export const taskQueues = { sign: 'sign', publish: 'publish', chain: 'chain' } as const

export const workflowTypes = {
  provisionWallet: 'provisionWallet',
  signDigest: 'signDigest',
  publishReceipt: 'publishReceipt',
  sweepProofs: 'sweepProofs',
} as const

/** Ids hold random or hashed values only: they are not encrypted. */
export const workflowIds = {
  wallet: (userId: string) => `wallet/${userId}`,
  sign: (walletId: string, digest: Hex) => `sign/${walletId}/${digest}`,
  receipt: (slug: string) => `receipt/${slug}`,
} as const

export const messages = {
  sign: 'sign',
  proof: 'proof',
  retryPublish: 'retryPublish',
  abandonPublish: 'abandonPublish',
  retryPublishAll: 'retryPublishAll',
} as const

/** Search attributes, with the types the server must register them under. */
export const searchAttributeTypes = {
  ProofStatus: 'Keyword',
  Wallet: 'Keyword',
  ProofSlug: 'Keyword',
  TxHash: 'Keyword',
  Cid: 'Keyword',
  FailureType: 'Keyword',
  ChainId: 'Int',
} as const

export interface ProvisionWalletInput {
  userId: string
}

/** Result of `provisionWallet`. The wallet itself is in the database; history holds its name only. */
export interface ProvisionWalletResult {
  walletId: string
  address: Hex
}

export interface SignDigestInput {
  walletId: string
  digest: Hex
  transaction: TxMetadata
  /** Milliseconds since 1970. Nothing is signed after it: the caller has gone away. */
  expiresAtMs: number
}

/** What the caller of `POST /sign/digest` gets. */
export interface SignDigestResult {
  signature: Hex
  slug: string
}

export interface PublishReceiptInput {
  slug: string
  txHash: Hex
  wallet: Hex
  chainId: number
  /**
   * Said by whoever starts the run: it may try the whole publication inside its first workflow task. Runs without it
   * are asked by `patched`, whose marker costs every run a write to the visibility store.
   */
  atOnce?: true
}

/** Answer of the `proof` query: the part of a proof that moves. */
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

/** Result of `sweepProofs`; at most twenty slugs of each kind. */
export interface SweepResult {
  /** Proofs that are not terminal yet. */
  seen: number
  /** Of those, proofs whose workflow was missing and has been started. */
  started: string[]
  /** Proofs that should long be terminal. */
  overdue: string[]
  /** Proofs whose block the chain has lost: they were complete and are under way again. */
  vanished: string[]
  /** CIDs that too few IPFS nodes hold. */
  shortOfPins: string[]
}
