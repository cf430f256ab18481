import { z } from 'zod'
import { proofStatuses, txMetadataSchema, type Hex } from '@perigee/core'
import { maxMessageBytes } from '@perigee/core/message'
import { ownersApprovalSchema, ownersSchema, passkeyApprovalSchema } from '@perigee/core/authorisation'

/** Wire formats: they validate requests, or describe what a stricter parser takes, and `/openapi.json` is generated from them. */
const hex = (bytes: number, what: string) =>
  z.string().regex(new RegExp(`^0x[0-9a-fA-F]{${bytes * 2}}$`), `${what}: 0x and ${bytes * 2} hex digits`)
const anyHex = z.string().regex(/^0x(?:[0-9a-fA-F]{2})*$/)
const isoTime = z.iso.datetime()

export const digestSchema = hex(32, 'a digest')
export const slugSchema = z.string().regex(/^[A-Za-z0-9_-]{16,64}$/, 'a proof slug')
export const providerSchema = z.string().regex(/^[a-z0-9_-]{1,32}$/, 'the name of an identity provider')
export const nonceSchema = z
  .string()
  .regex(/^(?:0x)?[0-9a-fA-F]{64}$/, 'a nonce: 32 bytes as 64 hex digits')
  .meta({ description: '32 bytes of hex that the new report must bind' })

export const authorisationSchema = z
  .enum(['off', 'optional', 'required'])
  .optional()
  .meta({ description: '`required`: no wallet is made until POST /wallet/provision brings a passkey' })

/** For routes that need no body: none, or `{}`. */
export const emptyBodySchema = z.strictObject({})

export const sessionUserSchema = z
  .object({ id: z.uuid(), email: z.string(), name: z.string().nullable() })
  .meta({ id: 'SessionUser' })

export const ownSessionsSchema = z
  .object({
    sessions: z.array(
      z.object({
        id: z.uuid(),
        createdAt: isoTime,
        lastSeenAt: isoTime,
        expiresAt: isoTime,
        current: z.boolean().meta({ description: 'the session that is asking' }),
      }),
    ),
  })
  .meta({ id: 'OwnSessions' })

export const operatorProofSchema = z
  .object({ slug: slugSchema, workflowId: z.string(), temporalUrl: z.url().nullable() })
  .meta({ id: 'OperatorProof', description: 'where an operator finds the workflow that publishes this proof' })

export const walletInfoSchema = z
  .object({
    address: hex(20, 'an address'),
    createdAt: isoTime,
    provenance: z.object({
      entropyHash: z.string(),
      entropySig: z.string().meta({ description: 'empty where the source does not sign its values' }),
      satelliteSource: z.string(),
    }),
  })
  .meta({ id: 'WalletInfo' })

const ownersRecordSchema = ownersSchema.meta({ id: 'OwnersRecord', description: 'whose passkeys must approve' })
const credentialKey = z.string().regex(/^0x0[23][0-9a-f]{64}$/, 'a compressed P-256 key') as unknown as z.ZodType<Hex>
const credentialId = z.string().regex(/^[A-Za-z0-9_-]{1,1366}$/, 'a credential id in base64url')

/** Passkeys as a request names them: the private part that lets the browser ask for the right one. */
export const credentialsSchema = z
  .array(z.strictObject({ publicKey: credentialKey, id: credentialId, label: z.string().min(1).max(100).optional() }))
  .max(8)

export const changeOwnersRequestSchema = z
  .strictObject({
    owners: ownersRecordSchema,
    approval: ownersApprovalSchema.meta({ id: 'OwnersApproval' }),
    credentials: credentialsSchema,
  })
  .meta({ id: 'ChangeOwnersRequest' })

export const provisionRequestSchema = z
  .union([emptyBodySchema, changeOwnersRequestSchema])
  .meta({ id: 'ProvisionRequest', description: 'empty for a wallet without owners' })

export const walletOwnersSchema = z
  .object({
    address: hex(20, 'an address'),
    owners: ownersRecordSchema.nullable(),
    ownersHash: hex(32, 'a hash'),
    since: z.enum(['creation', 'upgrade']).nullable(),
    credentials: z.array(
      z.object({ publicKey: credentialKey, id: credentialId, label: z.string().nullable(), addedAt: isoTime }),
    ),
  })
  .meta({ id: 'WalletOwners' })

const approvalSchema = passkeyApprovalSchema
  .meta({ id: 'PasskeyApproval', description: 'needed where the wallet has owners' })
  .nullish()

export const signDigestRequestSchema = z
  .strictObject({
    digest: digestSchema,
    txMetadata: txMetadataSchema.meta({ id: 'TxMetadata' }),
    authorisation: approvalSchema,
  })
  .meta({ id: 'SignDigestRequest' })

export const saltSchema = hex(32, 'a salt').meta({
  description: '32 random bytes, new for every request: they hide the message in its receipt',
})
const messageHex = z
  .string()
  .max(2 + 2 * maxMessageBytes)
  .regex(/^0x(?:[0-9a-fA-F]{2})*$/)
const typedDataSchema = z
  .strictObject({
    types: z.record(z.string(), z.array(z.strictObject({ name: z.string(), type: z.string() }))),
    primaryType: z.string(),
    domain: z.record(z.string(), z.string()),
    message: z.record(z.string(), z.unknown()),
  })
  .meta({ id: 'TypedData', description: 'EIP-712; integers are decimal strings' })

const withMessage = { salt: saltSchema, authorisation: approvalSchema }

/** For the documentation: `parseMessage` gives the reasons for a refusal, and refuses more (a hash, a transaction). */
export const signMessageRequestSchema = z
  .discriminatedUnion('scheme', [
    z.strictObject({
      scheme: z.literal('eip191'),
      message: messageHex.meta({ description: 'the bytes; of a text, its UTF-8' }),
      ...withMessage,
    }),
    z.strictObject({ scheme: z.literal('eip712'), typedData: typedDataSchema, ...withMessage }),
  ])
  .meta({ id: 'SignMessageRequest' })

export const signMessageAnswerSchema = z
  .object({
    signature: hex(65, 'a signature'),
    slug: slugSchema,
    opening: z
      .object({
        version: z.literal('perigee-opening/1'),
        message: z.record(z.string(), z.unknown()),
        signature: hex(65, 'a signature'),
        salt: saltSchema,
      })
      .meta({
        id: 'Opening',
        description: 'shows what the receipt commits to, to anyone who gets it: keep it private',
      }),
  })
  .meta({ id: 'SignMessageAnswer' })

export const signDigestAnswerSchema = z
  .object({ signature: hex(65, 'a signature'), slug: slugSchema })
  .meta({ id: 'SignDigestAnswer' })

export const logoutRequestSchema = z
  .strictObject({ everywhere: z.boolean().optional() })
  .meta({ id: 'LogoutRequest', description: '`everywhere: true` ends every session of the user' })

export const proofPayloadSchema = z
  .object({
    slug: slugSchema,
    kind: z
      .enum(['transaction', 'birth', 'message'])
      .meta({ description: 'a signed transaction, the creation of a wallet’s key, or a signed message' }),
    txHash: hex(32, 'a hash').meta({
      description:
        'the hash in the event: the transaction’s; of a birth, SHA-256 of `perigee.birth.v1` and the address; of a message, its commitment',
    }),
    chainId: z.int().meta({ description: 'the transaction’s; of a birth, the chain of its event; 0 of a message' }),
    walletAddress: hex(20, 'an address'),
    status: z.enum(proofStatuses),
    ipfsCid: z.string().nullable(),
    ipfsUrl: z.string().nullable(),
    onchainTxHash: hex(32, 'a hash').nullable(),
    onchainBlockNumber: z.int().nullable(),
    kmsQuoteVerified: z.boolean(),
    receipt: z.record(z.string(), z.unknown()).nullable().meta({
      description:
        'AttestationReceiptV1; of a birth, BirthReceiptV1; of a message, MessageReceiptV1, which shows neither content nor signature',
    }),
    createdAt: isoTime,
  })
  .meta({ id: 'ProofPayload' })

export const coordinatorAttestationSchema = z
  .object({
    kind: z.literal('sev-snp'),
    report: anyHex,
    reportHash: hex(32, 'a hash'),
    vek: anyHex,
    intermediate: anyHex,
    rootFingerprint: hex(32, 'a fingerprint'),
    identity: z
      .record(z.string(), z.unknown())
      .meta({ description: 'what REPORT_DATA binds, with nonce and expiresAt' }),
    nonce: anyHex,
    fetchedAt: z.int(),
    expiresAt: z.int(),
    measurement: anyHex,
    simulated: z.boolean(),
  })
  .meta({ id: 'CoordinatorAttestation' })

export const readinessSchema = z
  .object({
    status: z.enum(['ready', 'not_ready']),
    dependencies: z.record(
      z.string(),
      z.object({ state: z.enum(['up', 'down']), latencyMs: z.number(), detail: z.string().optional() }),
    ),
  })
  .meta({ id: 'Readiness' })

export const problemSchema = z
  .object({
    type: z.string(),
    title: z.string(),
    status: z.int(),
    detail: z.string(),
    code: z.string().meta({ description: 'stable; docs/errors.md lists them' }),
    requestId: z.string(),
    facts: z.record(z.string(), z.unknown()).optional(),
  })
  .meta({ id: 'Problem', description: 'RFC 9457' })
