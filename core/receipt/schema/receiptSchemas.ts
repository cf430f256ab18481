import { z } from 'zod'
import { authorisationSchema, ownersApprovalSchema, ownersSchema, statementSchema } from '../../authorisation/index.js'
import { hexOf, hexUpTo } from '../../bytes/hexSchema.js'
import { provenanceLevels } from '../../entropy/index.js'
import { messageSchemes } from '../../message/index.js'
import { decimal, signingPolicySchema } from '../../policy/SigningPolicy.js'
import { coordinatorIdentity } from './coordinatorIdentity.js'

// One receipt has one spelling, so it has one CID. No member is optional, and none may be added.

const seconds = z.int().nonnegative().max(253_402_300_799) // the last second of the year 9999
const cid = z.string().regex(/^b[a-z2-7]{58}$/, 'a CIDv1 in base32 of a 32-byte hash')
const name = z.string().min(1).max(200)
const link = z.url({ protocol: /^https?$/ }).max(500)
const base64 = z
  .string()
  .max(128 * 1024)
  .regex(/^[A-Za-z0-9+/]*={0,2}$/, 'base64')

/** Members of `signer` in every receipt. */
const signerEvidence = {
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
const receiptParts = {
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

/** Of every receipt of a signature. */
const signer = z.strictObject({
  ...signerEvidence,
  keyId: name,
  publicKey: hexOf(33),
  address: hexOf(20),
  birthCid: cid,
  policy: signingPolicySchema,
  signedAt: seconds,
})

/** Every member of a receipt, by its kind. `docs/receipt-v1.schema.json` and its neighbours are these, and a test keeps them so. */
export const receiptSchemas = {
  transaction: z.strictObject({
    version: z.literal('perigee-receipt/1'),
    ...receiptParts,
    transaction: z.strictObject({
      type: z.literal('eip1559'),
      chainId: z.int().positive(),
      nonce: z.int().nonnegative(),
      to: hexOf(20),
      value: decimal,
      data: hexUpTo(24_576),
      gas: decimal,
      maxFeePerGas: decimal,
      maxPriorityFeePerGas: decimal,
      from: hexOf(20),
      digest: hexOf(32),
      txHash: hexOf(32),
      signature: hexOf(65),
    }),
    signer,
    authorisation: authorisationSchema,
  }),
  message: z.strictObject({
    version: z.literal('perigee-message/1'),
    ...receiptParts,
    message: z.strictObject({
      scheme: z.enum(messageSchemes),
      from: hexOf(20),
      requestHash: hexOf(32),
      commitment: hexOf(32),
    }),
    signer,
    authorisation: authorisationSchema,
  }),
  birth: z.strictObject({
    version: z.literal('perigee-birth/1'),
    ...receiptParts,
    key: z.strictObject({
      keyId: name,
      publicKey: hexOf(33),
      address: hexOf(20),
      sealedKeyHash: hexOf(32),
      ownersHash: hexOf(32),
      subject: hexOf(32),
      createdAt: seconds,
    }),
    signer: z.strictObject(signerEvidence),
    authorisation: z
      .strictObject({
        statement: statementSchema,
        owners: ownersSchema.nullable(),
        approval: ownersApprovalSchema.nullable(),
      })
      .refine(({ owners, approval }) => (owners === null) === (approval === null), 'owners and approval go together'),
  }),
}
