import { sha256 } from '@noble/hashes/sha2'
import { canonicalJson, toHex, type Hex, type UnixSeconds } from '../bytes/index.js'

/** What was checked about a sample, weakest first. Nothing may claim a higher level than was verified. */
export const provenanceLevels = [
  'simulated',
  'operator-asserted',
  'beacon-verified',
  'satellite-signature-verified',
] as const
export type EntropyProvenance = (typeof provenanceLevels)[number]

/** One random value from outside, with everything needed to repeat the check. Plain JSON. */
export interface EntropySample {
  version: 1
  /** Name of the source, for example `simulated-satellite`, `orbitport`, `orbitport-beacon`. */
  source: string
  provenance: EntropyProvenance
  /** 32 bytes. */
  value: Hex
  /** When the source says it made the value; null when it does not say. */
  producedAt: UnixSeconds | null
  /** When we received it. */
  receivedAt: UnixSeconds
  /** The source's own counter, as a decimal string; null when it has none. */
  sequence: string | null
  /** Null when the source gave none; an empty signature counts as none. */
  signature: { algorithm: 'ed25519' | 'ecdsa-p256-sha256'; keyId: string; value: Hex } | null
  /** Coordinates and bytes of a beacon value: IPNS record and block, base64. */
  beacon: { name: string; record: string; cid: string; block: string; index: number } | null
}

/** SHA-256 of the canonical sample: what REPORTDATA binds, and the key of the unique constraint on use. */
export function entropyWitnessHash(sample: EntropySample): Hex {
  return toHex(sha256(new TextEncoder().encode(canonicalJson(sample))))
}
