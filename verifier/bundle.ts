import { z } from 'zod'
import { ServiceError } from '@perigee/core'
import { parseTrustAnchors, type TrustAnchors } from '@perigee/core/receipt'
import type { PublishedEvent, ReceiptEvidence } from '@perigee/core/receipt/verify'

const base64 = z.string().regex(/^[A-Za-z0-9+/]*={0,2}$/)
const hex = z.string().regex(/^0x[0-9a-fA-F]*$/)
const count = z.int().nonnegative()
const bundleSchema = z.strictObject({
  version: z.literal('perigee-bundle/1'),
  receipt: base64,
  cid: z.string().optional(),
  collateral: base64.optional(),
  events: z
    .array(
      z.strictObject({
        chainId: count,
        contract: hex,
        wallet: hex,
        txHash: hex,
        ipfsCid: z.string(),
        transactionHash: hex,
        blockNumber: count,
        blockTimestamp: count,
        confirmations: z.int(),
      }),
    )
    .max(100)
    .optional(),
  trustAnchors: z.unknown().optional(),
})

/** Everything a verification used, in one file, for checking again without a network. */
export interface Bundle {
  evidence: ReceiptEvidence
  anchors: TrustAnchors | null
}

/** True for JSON that says it is a bundle. */
export function isBundle(value: unknown): boolean {
  return typeof value === 'object' && value !== null && (value as { version?: unknown }).version === 'perigee-bundle/1'
}

/** Takes anything; returns a bundle or throws `parse_failed` or `trust_anchors_invalid`. */
export function parseBundle(value: unknown): Bundle {
  const result = bundleSchema.safeParse(value)
  if (!result.success) throw new ServiceError('parse_failed', 'not a bundle of version perigee-bundle/1')
  const { receipt, cid, collateral, events, trustAnchors } = result.data
  return {
    evidence: {
      receipt: decode(receipt),
      ...(cid === undefined ? {} : { cid }),
      ...(collateral === undefined ? {} : { collateral: decode(collateral) }),
      ...(events === undefined ? {} : { events: events as PublishedEvent[] }),
    },
    anchors: trustAnchors === undefined ? null : parseTrustAnchors(trustAnchors),
  }
}

/** The text of a bundle file. Receipt and collateral are kept byte for byte, because their hashes count. */
export function printBundle({ evidence, anchors }: Bundle): string {
  const { receipt, cid, collateral, events } = evidence
  const value = {
    version: 'perigee-bundle/1',
    receipt: encode(receipt),
    cid,
    collateral: collateral === undefined ? undefined : encode(collateral),
    events,
    trustAnchors: anchors ?? undefined,
  }
  return `${JSON.stringify(value, null, 2)}\n`
}

const encode = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64')
const decode = (text: string): Uint8Array => new Uint8Array(Buffer.from(text, 'base64'))
