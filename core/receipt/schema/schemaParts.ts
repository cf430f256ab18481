import { z } from 'zod'
import { hexOf, hexUpTo } from '../../bytes/hexSchema.js'
import { provenanceLevels } from '../../entropy/index.js'

// One receipt has one spelling, so it has one CID.
export const decimal = z
  .string()
  .max(78)
  .regex(/^(?:0|[1-9][0-9]*)$/, 'a decimal string without sign or leading zeros')
export const seconds = z.int().nonnegative().max(253_402_300_799) // the last second of the year 9999
export const cid = z.string().regex(/^b[a-z2-7]{58}$/, 'a CIDv1 in base32 of a 32-byte hash')
export const name = z.string().min(1).max(200)
const link = z.url({ protocol: /^https?$/ }).max(500)
const base64 = z
  .string()
  .max(128 * 1024)
  .regex(/^[A-Za-z0-9+/]*={0,2}$/, 'base64')

/** Members of `signer` in every receipt. */
export const signerEvidence = {
  kind: z.literal('tdx-enclave'),
  platform: name,
  nonce: hexOf(32),
  quote: hexUpTo(32 * 1024),
  runtimeEvents: z
    .array(
      z.strictObject({
        event: z.string().max(256),
        payload: z
          .string()
          .max(4096)
          .regex(/^(?:[0-9a-f]{2})*$/, 'hex without 0x'),
      }),
    )
    .max(256),
  collateralCid: cid,
  rootFingerprint: hexOf(32),
  verifiedAt: seconds,
  tcbStatus: name,
  advisoryIds: z.array(name).max(200),
}

export const coordinatorIdentity = z.strictObject({
  service: name,
  requestKey: hexOf(33),
  publishers: z.array(hexOf(20)).max(64),
})

const coordinator = z.strictObject({
  kind: z.literal('sev-snp'),
  report: hexOf(1184),
  reportHash: hexOf(32),
  vek: hexUpTo(4096),
  intermediate: hexUpTo(4096),
  rootFingerprint: hexOf(32),
  identity: coordinatorIdentity,
  nonce: hexOf(32),
  fetchedAt: seconds,
  expiresAt: seconds,
})

const entropy = z.strictObject({
  version: z.literal(1),
  source: name,
  provenance: z.enum(provenanceLevels),
  value: hexOf(32),
  producedAt: seconds.nullable(),
  receivedAt: seconds,
  sequence: decimal.nullable(),
  signature: z
    .strictObject({ algorithm: z.enum(['ed25519', 'ecdsa-p256-sha256']), keyId: name, value: hexUpTo(256) })
    .nullable(),
  beacon: z
    .strictObject({ name, record: base64, cid: z.string().max(200), block: base64, index: z.int().nonnegative() })
    .nullable(),
})

/** Members of every receipt. */
export const receiptParts = {
  spec: link,
  issuedAt: z.string().regex(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/, 'ISO 8601, UTC, with milliseconds'),
  simulated: z.boolean(),
  coordinator,
  entropy,
  verification: z.strictObject({
    instructions: link,
    trustAnchorsCid: cid,
    publication: z.strictObject({ chainId: z.int().positive(), contract: hexOf(20) }),
  }),
}
