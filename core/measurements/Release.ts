import { z } from 'zod'
import { ed25519 } from '@noble/curves/ed25519'
import { hexOf } from '../bytes/hexSchema.js'
import { canonicalJson, fromHex, type Hex } from '../bytes/index.js'
import { encodeBinding } from '../binding/index.js'
import { ServiceError } from '../errors/index.js'

const bytes = (length: number) => hexOf(length).transform((text) => text as Hex)

const svn = z.int().min(0).max(255)

const enclaveBuild = z.strictObject({
  name: z.string().min(1).max(100),
  /** True for a build that runs on simulated hardware only. */
  simulated: z.boolean(),
  mrTd: bytes(48),
  rtmr0: bytes(48),
  rtmr1: bytes(48),
  rtmr2: bytes(48),
  /** Exactly one of the two: RTMR3 itself, or the app-compose hash that must be in the log measured into RTMR3. */
  rtmr3: bytes(48).optional(),
  composeHash: bytes(32).optional(),
  /** SHA-256 of the bundle in the image, for people who rebuild it. */
  bundleSha256: bytes(32).optional(),
})

const coordinatorBuild = z.strictObject({
  name: z.string().min(1).max(100),
  simulated: z.boolean(),
  measurement: bytes(48),
  /** The least firmware under which it may be believed. */
  minTcb: z.strictObject({ bootloader: svn, tee: svn, snp: svn, microcode: svn, fmc: svn.optional() }),
  /** The privilege level at which it runs. */
  vmpl: z.int().min(0).max(3),
})

/** Form of a release, signed or inside trust anchors. */
export const releaseSchema = z.strictObject({
  version: z.literal(1),
  issuedAt: z.iso.datetime(),
  enclaves: z
    .array(enclaveBuild.refine((build) => (build.rtmr3 === undefined) !== (build.composeHash === undefined)))
    .max(100),
  coordinators: z.array(coordinatorBuild).max(100),
})

const signedReleaseSchema = z.strictObject({
  release: releaseSchema,
  signature: z.strictObject({ algorithm: z.literal('ed25519'), value: bytes(64) }),
})

export type EnclaveBuild = z.infer<typeof enclaveBuild>
export type CoordinatorBuild = z.infer<typeof coordinatorBuild>
/** The published builds: only these may serve. */
export type MeasurementRelease = z.infer<typeof releaseSchema>
/** Content of `measurements.json`. */
export type SignedRelease = z.infer<typeof signedReleaseSchema>

/** The exact bytes a release key signs. */
export function releaseBytes(release: MeasurementRelease): Uint8Array {
  return encodeBinding('perigee.measurements.v1', [new TextEncoder().encode(canonicalJson(release))])
}

/** Takes parsed JSON; returns the release or throws `release_invalid`. The key is the caller's, never the file's. */
export function verifyRelease(input: unknown, publicKey: Hex): MeasurementRelease {
  const parsed = signedReleaseSchema.safeParse(input)
  if (!parsed.success)
    throw new ServiceError('release_invalid', 'measurements.json does not have the form of version 1')
  const { release, signature } = parsed.data
  let good = false
  try {
    good = ed25519.verify(fromHex(signature.value, 64), releaseBytes(release), fromHex(publicKey, 32), {
      zip215: false,
    })
  } catch {
    // not a point or not a scalar: same result as a wrong signature
  }
  if (!good) throw new ServiceError('release_invalid', 'measurements.json is not signed by the configured release key')
  return release
}
