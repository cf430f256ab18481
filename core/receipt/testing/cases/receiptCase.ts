import { cidOf, type UnixSeconds } from '../../../bytes/index.js'
import type { ErrorCode } from '../../../errors/index.js'
import type { ReleaseAnnouncement } from '../../../releases/index.js'
import { receiptBytes } from '../../buildReceipt.js'
import type { TrustAnchors } from '../../anchors/TrustAnchors.js'
import type { PublishedEvent, ReceiptEvidence, StepName } from '../../verify/index.js'
import { eventOf } from '../eventOf.js'
import type { MintedBirth } from '../mintBirth.js'
import type { Minted } from '../mintReceipt.js'
import { signedAt } from '../simulatedWorld.js'

/** `verified`, the first step that fails with its code, or the code with which there is no verdict at all. */
export type Expected = 'verified' | readonly [StepName, ErrorCode] | { noVerdict: ErrorCode }

/** What a gateway and a node hold about one receipt, what the reader trusts, and what a verifier must say. */
export interface ReceiptCase {
  name: string
  /** What the reader asks for. */
  cid: string
  /** By the name under which the gateway gives them, which is not always their CID. */
  blocks: Record<string, Uint8Array>
  events: readonly PublishedEvent[]
  releases: readonly ReleaseAnnouncement[]
  anchors: TrustAnchors
  now: UnixSeconds
  expected: Expected
}

type Holding = ReceiptEvidence & { cid: string }

/** A case of minted evidence. `changes` are what gateway, node or reader have instead. */
export function caseOf(
  name: string,
  { evidence, anchors }: { evidence: Holding; anchors: TrustAnchors },
  expected: Expected,
  changes: Partial<ReceiptCase> = {},
): ReceiptCase {
  const { receipt, collateral, events = [], releases, birth } = evidence
  const held = [receipt, collateral, birth?.receipt, birth?.collateral, ...(releases?.lists ?? [])]
  return {
    name,
    cid: evidence.cid,
    blocks: Object.fromEntries(held.flatMap((bytes) => (bytes ? [[cidOf(bytes), bytes]] : []))),
    events: [...events, ...(birth?.events ?? [])],
    releases: releases?.announcements ?? [],
    anchors,
    now: signedAt + 60 * 86_400,
    expected,
    ...changes,
  }
}

/** A receipt with something else in it, published like any other. */
export function republished(minted: Minted, change: (receipt: Minted['receipt']) => unknown): Minted {
  const receipt = structuredClone(minted.receipt)
  change(receipt)
  const bytes = receiptBytes(receipt)
  const cid = cidOf(bytes)
  return { ...minted, receipt, evidence: { ...minted.evidence, receipt: bytes, cid, events: [eventOf(receipt, cid)] } }
}

/** The same of a birth. */
export function rebornWith(born: MintedBirth, change: (birth: MintedBirth['birth']) => unknown): MintedBirth {
  const birth = structuredClone(born.birth)
  change(birth)
  const bytes = receiptBytes(birth)
  const cid = cidOf(bytes)
  return { birth, evidence: { ...born.evidence, receipt: bytes, cid, events: [eventOf(birth, cid)] } }
}

/** Another digit in the middle of a text. */
export const flip = (hex: string, at = 10) =>
  `${hex.slice(0, at)}${hex[at] === '0' ? '1' : '0'}${hex.slice(at + 1)}` as `0x${string}`
