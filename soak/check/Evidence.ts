import type { Hex } from '@perigee/core'
import type { ReceiptKind, TrustAnchors } from '@perigee/core/receipt'
import type { ReleaseAnnouncement } from '@perigee/core/releases'
import type { Acknowledged } from '../load/acknowledge.js'
import type { AcceptedEvent } from '../load/startApplication.js'
import type { Leak } from './leaks/findLeaks.js'
import type { RunFile } from './RunFile.js'

/** A proof as Postgres has it, of a signature or of a birth, with the receipt recomputed from the row. */
export interface ProofRecord {
  slug: string
  kind: ReceiptKind
  wallet: Hex
  /** UTC. */
  day: string
  /** Null for a birth; of a message, its request hash. */
  digest: Hex | null
  txHash: Hex
  /** Null for a birth, and for a message, which stays with its owner. */
  signature: Hex | null
  /** Null: there is no evidence. */
  quoteVerified: boolean | null
  entropyHash: Hex | null
  entropyValue: string | null
  collateralCid: string | null
  status: string
  cid: string | null
  receipt: string | null
  /** CID of the receipt assembled again from the columns. */
  recomputedCid: string | null
  onchainTxHash: Hex | null
  onchainBlockHash: Hex | null
}

export interface PublishedEvent {
  wallet: Hex
  txHash: Hex
  cid: string
  transactionHash: Hex
  blockNumber: number
  blockHash: Hex
  blockTimestamp: number
}

export interface PublisherState {
  sender: Hex
  /** From Postgres. */
  slots: { nonce: number; state: string }[]
  /** Transactions the chain has counted. */
  mined: number
}

/** Everything the checks look at. Plain data, so that a test can take the evidence of a real run and spoil it. */
export interface Evidence {
  acknowledged: Acknowledged[]
  records: ProofRecord[]
  wallets: Hex[]
  /** Samples that were used, and for what. */
  samples: { witnessHash: Hex; value: string; purpose: string }[]
  publishers: PublisherState[]
  events: PublishedEvent[]
  head: number
  /** CID of the bytes that IPFS returned for a CID; null if none. */
  blocks: Record<string, string | null>
  pinned: string[]
  /** Latest run of each of our workflows. */
  workflows: { id: string; type: string; status: string }[]
  /** By CID, base64. */
  bundles: Record<string, string>
  anchors: TrustAnchors
  /** Lists of builds; their bytes in base64. */
  releases: { announcements: ReleaseAnnouncement[]; lists: string[] }
  contract: { chainId: number; address: Hex }
  auditFaults: { sequence: number; fault: string }[]
  leaks: Leak[]
  /** Events that the application accepted, in their order. */
  webhooks: AcceptedEvent[]
  /** Events of the outbox that are not delivered. */
  undelivered: string[]
  share: RunFile['share']
}

/** What is wrong, in a sentence. */
export type Violation = string
