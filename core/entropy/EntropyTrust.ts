import { z } from 'zod'
import { hexUpTo } from '../bytes/hexSchema.js'
import type { Hex, UnixSeconds } from '../bytes/index.js'
import type { EntropyProvenance, EntropySample } from './EntropySample.js'

/** A pinned key: who it speaks for, for how long, what it signs, and what a good signature by it shows. */
export const entropyKeySchema = z.strictObject({
  source: z.string(),
  algorithm: z.enum(['ed25519', 'ecdsa-p256-sha256']),
  /** Ed25519: 32 bytes, or SPKI. P-256: a SEC1 point, or SPKI. */
  publicKey: hexUpTo(8192),
  /**
   * - `perigee-satellite/1`: domain, value, time and sequence (`satelliteSignedBytes`).
   * - `value`: the 32 bytes alone. Such a signature does not expire and can be replayed; it proves who made the value, not when.
   */
  signedBytes: z.enum(['perigee-satellite/1', 'value']),
  /** A development stand-in's key shows `simulated`, even when the signature is good. */
  shows: z.enum(['simulated', 'satellite-signature-verified']),
  validFrom: z.int(),
  validTo: z.int().nullable(),
})
export type EntropyKey = z.infer<typeof entropyKeySchema>

/** What beacon evidence was found to say. */
export interface BeaconFinding {
  value: Hex
  producedAt: UnixSeconds
  /** The block's own counter. */
  sequence: string
}
export type VerifyBeacon = (evidence: NonNullable<EntropySample['beacon']>, now: UnixSeconds) => Promise<BeaconFinding>

/** What the checker trusts: its own configuration, never taken from the sample. */
export interface EntropyTrust {
  minimum: EntropyProvenance
  /** How old a sample may be when it is used. */
  freshnessSeconds: number
  /** Pinned keys by key id. */
  keys: Readonly<Record<string, EntropyKey>>
  /** Pinned IPNS names, the source each speaks for, and the check: `verifyBeacon` of `@perigee/core/entropyBeacon`. */
  beacons?: { names: Readonly<Record<string, string>>; verify: VerifyBeacon }
  /** A faster signature check of the platform, which must be as strict. */
  isSignedBy?: (key: EntropyKey, message: Uint8Array, signature: Uint8Array) => boolean
  /** Sources whose unsigned samples count as `operator-asserted`: the operator vouches for them, and nobody else can check. */
  assertedSources?: readonly string[]
}

/** How far a source's clock may run ahead of ours. */
export const clockSkewSeconds = 30

/** A beacon may publish only every five minutes, so a shorter window would often leave no fresh value. */
export const defaultFreshnessSeconds = 600
