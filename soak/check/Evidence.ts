import type { Hex } from '@perigee/core'
import type { TrustAnchors } from '@perigee/core/receipt'
import type { ReleaseAnnouncement } from '@perigee/core/releases'
import type { Acknowledged } from '../load/acknowledge.js'
import type { AcceptedEvent } from '../load/startApplication.js'
import type { Leak } from './leaks/findLeaks.js'
import type { FromDatabase } from './readDatabase.js'
import type { RunFile } from './RunFile.js'

export type ProofRecord = Evidence['records'][number]

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
export interface Evidence extends Omit<FromDatabase, 'slots'> {
  acknowledged: Acknowledged[]
  publishers: PublisherState[]
  events: PublishedEvent[]
  head: number
  /** CID of the bytes that IPFS returned for a CID; null if none. */
  blocks: Record<string, string | null>
  pinned: string[]
  /** Latest run of each of our workflows. */
  workflows: { id: string; type: string; status: string }[]
  anchors: TrustAnchors
  /** Lists of builds; their bytes in base64. */
  releases: { announcements: ReleaseAnnouncement[]; lists: string[] }
  contract: { chainId: number; address: Hex }
  leaks: Leak[]
  /** Events that the application accepted, in their order. */
  webhooks: AcceptedEvent[]
  share: RunFile['share']
}

/** What is wrong, in a sentence. */
export type Violation = string
