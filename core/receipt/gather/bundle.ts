import { z } from 'zod'
import { cidOf, decodeBase64, encodeBase64, type Hex } from '../../bytes/index.js'
import { ServiceError, withCode } from '../../errors/index.js'
import { parseTrustAnchors, type TrustAnchors } from '../anchors/TrustAnchors.js'
import type { ReceiptEvidence } from '../verify/index.js'
import { mostAnnouncements } from '../chain/readReleases.js'

const version = 'perigee-bundle/1'
const base64 = z.string().regex(/^[A-Za-z0-9+/]*={0,2}$/)
const hex = z.custom<Hex>((value) => typeof value === 'string' && /^0x[0-9a-fA-F]*$/.test(value))
const count = z.int().nonnegative()
const eventSchema = z.strictObject({
  chainId: count,
  contract: hex,
  wallet: hex,
  txHash: hex,
  ipfsCid: z.string(),
  transactionHash: hex,
  blockNumber: count,
  blockTimestamp: count,
  confirmations: z.int(),
})
const releaseEventSchema = { chainId: count, contract: hex, version: count, blockNumber: count, logIndex: count }
const releasesSchema = z.strictObject({
  announcements: z
    .array(
      z.discriminatedUnion('kind', [
        z.strictObject({ ...releaseEventSchema, kind: z.literal('announced'), sha256: hex, cid: z.string() }),
        z.strictObject({ ...releaseEventSchema, kind: z.literal('withdrawn') }),
      ]),
    )
    .max(mostAnnouncements),
  lists: z.array(base64).max(mostAnnouncements),
})
const evidenceSchema = z.strictObject({
  receipt: base64,
  cid: z.string().optional(),
  collateral: base64.optional(),
  events: z.array(eventSchema).max(100).optional(),
  searchedFrom: count.optional(),
})
const bundleSchema = evidenceSchema.extend({
  version: z.literal(version),
  birth: evidenceSchema.optional(),
  releases: releasesSchema.optional(),
  trustAnchors: z.unknown().optional(),
})

/**
 * Everything a verification used, in one file. Its bytes are checked by their hashes. Its chain data
 * cannot be checked without a node.
 */
export interface Bundle {
  evidence: ReceiptEvidence
  anchors: TrustAnchors | null
}

/** True for JSON that says it is a bundle. */
export function isBundle(value: unknown): boolean {
  return typeof value === 'object' && value !== null && (value as { version?: unknown }).version === version
}

/** Takes anything; returns a bundle or throws `parse_failed` or `trust_anchors_invalid`. */
export function parseBundle(value: unknown): Bundle {
  const result = bundleSchema.safeParse(value)
  if (!result.success) throw new ServiceError('parse_failed', `not a bundle of version ${version}`)
  const { version: _, birth, releases, trustAnchors, ...about } = result.data
  return {
    evidence: {
      ...toEvidence(about),
      birth: birth && toEvidence(birth),
      releases: releases && { ...releases, lists: releases.lists.map(decode) },
    },
    anchors: trustAnchors === undefined ? null : parseTrustAnchors(trustAnchors),
  }
}

function toEvidence({ receipt, collateral, ...found }: z.infer<typeof evidenceSchema>): ReceiptEvidence {
  const bytes = collateral === undefined ? undefined : decode(collateral)
  return { ...found, recorded: true, receipt: decode(receipt), collateral: bytes }
}

/** The bytes in a bundle by their CIDs: nothing of them has to be fetched again. */
export function blocksOfBundle({ evidence }: Bundle): Map<string, Uint8Array> {
  const { birth, releases } = evidence
  const blocks = [evidence.receipt, evidence.collateral, birth?.receipt, birth?.collateral, ...(releases?.lists ?? [])]
  return new Map(blocks.flatMap((bytes) => (bytes === undefined ? [] : [[cidOf(bytes), bytes]])))
}

const toBundled = ({ receipt, cid, collateral, events, searchedFrom }: ReceiptEvidence) => ({
  receipt: encodeBase64(receipt),
  cid,
  collateral: collateral && encodeBase64(collateral),
  events,
  searchedFrom,
})

/** The text of a bundle file. Receipts, collateral and lists are kept byte for byte, because their hashes count. */
export function printBundle({ evidence, anchors }: Bundle): string {
  const { birth, releases } = evidence
  const value = {
    version,
    ...toBundled(evidence),
    birth: birth && toBundled(birth),
    releases: releases && { announcements: releases.announcements, lists: releases.lists.map(encodeBase64) },
    trustAnchors: anchors ?? undefined,
  }
  return `${JSON.stringify(value, null, 2)}\n`
}

const decode = (text: string): Uint8Array =>
  withCode('parse_failed', 'the bundle holds broken base64', () => decodeBase64(text))
