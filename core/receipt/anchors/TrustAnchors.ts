import { sha256 } from '@noble/hashes/sha2'
import { z } from 'zod'
import { authorisationLevels } from '../../authorisation/index.js'
import { hexOf, hexUpTo } from '../../bytes/hexSchema.js'
import { canonicalJson, cidOf, fromHex, toHex, type Hex } from '../../bytes/index.js'
import { entropyKeySchema, provenanceLevels } from '../../entropy/index.js'
import { parseSchema, ServiceError } from '../../errors/index.js'
import { quotePolicySchema, snpPolicySchema } from '../../policy/policySchemas.js'
import { isVendorRoot } from './vendorRoots.js'

const hexBytes = hexUpTo(8192)
/** `fromBlock`: the block in which a contract was made: nothing before it is searched. */
const contracts = z
  .array(z.strictObject({ chainId: z.int().positive(), address: hexOf(20), fromBlock: z.int().min(0).optional() }))
  .max(1000)

/**
 * What a verifier trusts. It comes from the verifier, never from the receipt: a receipt only names the one we used.
 * `docs/trust-v1.schema.json` is this.
 */
export const anchorsSchema = z.strictObject({
  version: z.literal('perigee-trust/1'),
  /** True for anchors that accept development roots or simulated entropy: what they accept proves nothing about hardware. */
  simulated: z.boolean(),
  /** DER of the root of TDX quotes (Intel SGX Root CA, or a development root). */
  tdxRoot: hexBytes,
  /** DER of the roots of SNP reports (AMD's ARKs, or a development root). */
  snpRoots: z.array(hexBytes).min(1).max(16),
  /** Whose lists of builds count, and where they are announced. Any build that they do not name is refused. */
  releases: z.strictObject({ publicKey: hexOf(32), contracts }),
  /** Which TCB states and platforms may sign. */
  enclave: quotePolicySchema,
  /** Which chips may serve. */
  coordinator: snpPolicySchema,
  /** The least that must have been shown about who asked. `coordinator-attested` when left out. With `since`, only owners of the birth count. */
  authorisation: z
    .strictObject({ minimum: z.enum(authorisationLevels), since: z.literal('creation').optional() })
    .optional(),
  entropy: z.strictObject({
    minimum: z.enum(provenanceLevels),
    freshnessSeconds: z.int().positive(),
    keys: z.record(z.string(), entropyKeySchema),
    assertedSources: z.array(z.string()).max(1000).optional(),
    /** IPNS name of a beacon, and the source it speaks for. */
    beacons: z.record(z.string(), z.string()),
  }),
  /** The only contracts whose events count. */
  contracts,
})
export type TrustAnchors = z.infer<typeof anchorsSchema>

/**
 * Takes anything; returns anchors or throws `trust_anchors_invalid`. Anchors that name a root other than the vendors',
 * or accept simulated entropy, must say `simulated: true`, so that no verdict under them can hide it.
 */
export function parseTrustAnchors(value: unknown): TrustAnchors {
  const anchors = parseSchema<TrustAnchors>(anchorsSchema, value, 'trust_anchors_invalid', 'trust anchors')
  if (!anchors.simulated && acceptsSimulation(anchors)) {
    throw new ServiceError('trust_anchors_invalid', 'the anchors accept simulated parts but do not say simulated: true')
  }
  return anchors
}

function acceptsSimulation(anchors: TrustAnchors): boolean {
  return (
    !isVendorRoot('intel', fingerprintOf(anchors.tdxRoot)) ||
    anchors.snpRoots.some((root) => !isVendorRoot('amd', fingerprintOf(root))) ||
    anchors.entropy.minimum === 'simulated' ||
    Object.values(anchors.entropy.keys).some((key) => key.shows === 'simulated')
  )
}

/** SHA-256 of a certificate's DER. */
export function fingerprintOf(der: Hex): Hex {
  return toHex(sha256(fromHex(der)))
}

/** The canonical bytes of the anchors, and so their CID. */
export function trustAnchorsBytes(anchors: TrustAnchors): Uint8Array {
  return new TextEncoder().encode(canonicalJson(anchors))
}

/** The CID a receipt names the anchors by. */
export function trustAnchorsCid(anchors: TrustAnchors): string {
  return cidOf(trustAnchorsBytes(anchors))
}
