import { z } from 'zod'
import { ed25519 } from '@noble/curves/ed25519'
import { hexOf, hexUpTo } from '../bytes/hexSchema.js'
import { canonicalJson, equalBytes, fromHex, parseStrictJson, toHex, type Hex } from '../bytes/index.js'
import { encodeBinding } from '../binding/index.js'
import { parseSchema, ServiceError } from '../errors/index.js'
import { snpTcbSchema } from '../policy/snpTcbSchema.js'

const name = z.string().min(1).max(100)

/** Which key service may hold the sealing key of a build. dstack's `kms` is known by the public key of its root CA (DER). */
const keyProvider = z.strictObject({
  name: z.enum(['kms', 'simulated']),
  id: hexUpTo(512).min(4, 'a key provider without an id could be anybody'),
})

const enclaveBuild = z
  .strictObject({
    name,
    /** True for a build that runs on simulated hardware only. */
    simulated: z.boolean(),
    mrTd: hexOf(48),
    rtmr0: hexOf(48),
    rtmr1: hexOf(48),
    rtmr2: hexOf(48),
    /** SHA-256 of the app-compose file, which names the image by digest. */
    composeHash: hexOf(32),
    /** Keys belong to an app id: every build of it can open them. */
    appId: hexOf(20),
    keyProvider,
    /** SHA-256 of the bundle in the image, for people who rebuild it. */
    bundleSha256: hexOf(32).optional(),
    /** The git commit it was built from. */
    sourceCommit: z
      .string()
      .regex(/^[0-9a-f]{40}$/, 'a git commit in 40 lower-case hex digits')
      .optional(),
  })
  .refine((build) => build.simulated || build.keyProvider.name !== 'simulated', 'a simulated key provider')

const coordinatorBuild = z.strictObject({
  name,
  simulated: z.boolean(),
  measurement: hexOf(48),
  /**
   * What the guest was started with: SHA-256 of the policy that says which containers run in it and with which settings.
   * Many services can share one guest image, so the measurement alone could be anybody's.
   */
  hostData: hexOf(32),
  /** The least firmware under which it may be believed. */
  minTcb: snpTcbSchema,
  /** The privilege level at which it runs. */
  vmpl: z.int().min(0).max(3),
})

const areDistinct = (keys: readonly string[]) => new Set(keys).size === keys.length

/** Builds of different names. Two builds that a quote cannot tell apart would let the one vouch for the other. */
const listOf = <T extends { name: string }>(build: z.ZodType<T>, identityOf: (build: T) => string, alike: string) =>
  z
    .array(build)
    .max(100)
    .refine((builds) => areDistinct(builds.map(identityOf)), alike)
    .refine((builds) => areDistinct(builds.map(({ name }) => name)), 'two builds have the same name')

/** Form of a release list. */
export const releaseSchema = z.strictObject({
  format: z.literal('perigee-release/1'),
  /** The number of this list: one more than that of the list before. */
  version: z.int().min(1),
  issuedAt: z.iso.datetime(),
  /** When given, programs stop using the list at this time. */
  expiresAt: z.iso.datetime().optional(),
  enclaves: listOf(
    enclaveBuild,
    ({ mrTd, rtmr0, rtmr1, rtmr2, composeHash }) => [mrTd, rtmr0, rtmr1, rtmr2, composeHash].join(),
    'two builds have the same measurements',
  ),
  coordinators: listOf(
    coordinatorBuild,
    ({ measurement, hostData }) => [measurement, hostData].join(),
    'two builds have the same measurement and host data',
  ),
})

/** Form of `measurements.json`; `docs/release-v1.schema.json` is this. */
export const signedReleaseSchema = z.strictObject({
  release: releaseSchema,
  signature: z.strictObject({ algorithm: z.literal('ed25519'), value: hexOf(64) }),
})

export type EnclaveBuild = z.infer<typeof enclaveBuild>
export type CoordinatorBuild = z.infer<typeof coordinatorBuild>
/** The published builds: only these may serve. */
export type MeasurementRelease = z.infer<typeof releaseSchema>
/** Content of `measurements.json`. */
export type SignedRelease = z.infer<typeof signedReleaseSchema>

/** The exact bytes a release key signs. */
export function releaseBytes(release: MeasurementRelease): Uint8Array {
  return encodeBinding('perigee.release.v1', [new TextEncoder().encode(canonicalJson(release))])
}

/** The exact bytes of `measurements.json`: one list has one spelling, so one hash and one CID. */
export function releaseFile(signed: SignedRelease): Uint8Array {
  return new TextEncoder().encode(canonicalJson(signed))
}

/** Signs the list of published builds: the content of `measurements.json`. Throws `release_invalid` for another form. */
export function signRelease(release: MeasurementRelease, privateKey: Uint8Array): SignedRelease {
  const value = toHex(ed25519.sign(releaseBytes(release), privateKey))
  const signed: SignedRelease = { release, signature: { algorithm: 'ed25519', value } }
  verifyRelease(releaseFile(signed), toHex(ed25519.getPublicKey(privateKey))) // never make a list that readers would refuse
  return signed
}

/**
 * Reads the bytes of `measurements.json`. Throws `release_invalid` for another form and `release_signature` for another
 * signer. The key is the caller's, never the file's. Whether the list is current is for `checkReleaseAge`.
 */
export function verifyRelease(file: Uint8Array, publicKey: Hex): MeasurementRelease {
  const { release, signature } = parseSignedRelease(file)
  let good = false
  try {
    const strict = { zip215: false }
    good = ed25519.verify(fromHex(signature.value, 64), releaseBytes(release), fromHex(publicKey, 32), strict)
  } catch {
    // not a point or not a scalar: same result as a wrong signature
  }
  if (!good) {
    throw new ServiceError('release_signature', 'measurements.json is not signed by the configured release key')
  }
  return release
}

function parseSignedRelease(file: Uint8Array): SignedRelease {
  let json: unknown
  try {
    json = parseStrictJson(new TextDecoder('utf-8', { fatal: true }).decode(file))
  } catch (cause) {
    throw new ServiceError('release_invalid', 'measurements.json is not JSON, or names a member twice', {}, cause)
  }
  const signed = parseSchema<SignedRelease>(signedReleaseSchema, json, 'release_invalid', 'measurements.json')
  if (!equalBytes(releaseFile(signed), file)) {
    throw new ServiceError('release_invalid', 'measurements.json is not in canonical form (RFC 8785)')
  }
  return signed
}
