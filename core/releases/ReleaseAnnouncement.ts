import type { Hex } from '../bytes/index.js'

interface ReleaseEvent {
  chainId: number
  contract: Hex
  version: number
  blockNumber: number
  /** Position in the block. */
  logIndex: number
}

/** An event of `ServiceReleases`, as the caller read it from a node that it trusts. */
export type ReleaseAnnouncement = ReleaseEvent &
  ({ kind: 'announced'; /** Of the list's exact bytes. */ sha256: Hex; cid: string } | { kind: 'withdrawn' })

/** What is needed to find the list in force at a block. Everything here is hostile. */
export interface ReleaseEvidence {
  announcements: readonly ReleaseAnnouncement[]
  /** The bytes of lists, in any order. */
  lists: readonly Uint8Array[]
}

/** Whose lists a verifier accepts: who signs them, and where they are announced. */
export interface ReleaseTrust {
  /** Ed25519. */
  publicKey: Hex
  /** `fromBlock`: the block in which the contract was made, so that nobody has to search the chain before it. */
  contracts: { chainId: number; address: Hex; fromBlock?: number | undefined }[]
}
