import { ServiceError } from '../errors/index.js'
import { fromHex, type UnixSeconds } from '../bytes/index.js'
import { provenanceLevels, type EntropyProvenance, type EntropySample } from './EntropySample.js'
import { clockSkewSeconds, type EntropyKey, type EntropyTrust } from './EntropyTrust.js'
import { parseEntropySample } from './parseEntropySample.js'
import { isSignedBy, satelliteSignedBytes } from './verifySignature.js'

/** What was proved about a sample. */
export interface VerifiedEntropy {
  sample: EntropySample
  /** The level the sample claims, which its evidence supports. */
  provenance: EntropyProvenance
  /** Last second at which the sample is still fresh. */
  freshUntil: UnixSeconds
}

/**
 * Checks a sample against the checker's own trust, at the moment `now` it was (or will be) used.
 * The level follows from the evidence; a sample that claims more is refused. This does not prove that a value is used
 * for the first time (the unique constraint does). For `operator-asserted` nothing is proved: the operator vouches for it.
 */
export async function verifyEntropySample(
  input: unknown,
  trust: EntropyTrust,
  now: UnixSeconds,
): Promise<VerifiedEntropy> {
  const sample = parseEntropySample(input)
  if (/^0x(..)\1{31}$/.test(sample.value)) throw invalid(sample, 'the value is one byte repeated')
  const shown = await levelShown(sample, trust, now)
  if (shown === null || rank(sample.provenance) > rank(shown)) {
    throw untrusted(sample, `claims ${sample.provenance}, its evidence shows ${shown ?? 'nothing'}`)
  }
  if (rank(sample.provenance) < rank(trust.minimum)) {
    throw untrusted(sample, `is ${sample.provenance}, the minimum is ${trust.minimum}`)
  }
  return { sample, provenance: sample.provenance, freshUntil: checkFreshness(sample, trust, now) }
}

/** True when `level` is at least `minimum`. */
export function meetsLevel(level: EntropyProvenance, minimum: EntropyProvenance): boolean {
  return rank(level) >= rank(minimum)
}

const rank = (level: EntropyProvenance): number => provenanceLevels.indexOf(level)

async function levelShown(
  sample: EntropySample,
  trust: EntropyTrust,
  now: UnixSeconds,
): Promise<EntropyProvenance | null> {
  if (sample.beacon !== null) return beaconLevel(sample, sample.beacon, trust, now)
  if (sample.signature !== null && Object.hasOwn(trust.keys, sample.signature.keyId)) {
    return signatureLevel(sample, sample.signature, trust)
  }
  // No signature, or one by an unknown key: it shows nothing, so at most the operator vouches for the sample.
  return trust.assertedSources?.includes(sample.source) ? 'operator-asserted' : null
}

function signatureLevel(
  sample: EntropySample,
  signature: NonNullable<EntropySample['signature']>,
  trust: EntropyTrust,
): EntropyProvenance {
  const key = trust.keys[signature.keyId]
  if (key === undefined || key.source !== sample.source || key.algorithm !== signature.algorithm) {
    throw untrusted(sample, 'is signed by a key that does not speak for this source')
  }
  const at = sample.producedAt ?? sample.receivedAt
  if (at < key.validFrom || (key.validTo !== null && at > key.validTo)) {
    throw untrusted(sample, 'is signed by a key outside its validity')
  }
  const isSigned = trust.isSignedBy ?? isSignedBy
  if (!isSigned(key, signedBytes(sample, key.signedBytes), fromHex(signature.value))) {
    throw invalid(sample, 'the signature is not by the pinned key over this value, time and sequence')
  }
  return key.shows
}

function signedBytes(sample: EntropySample, format: EntropyKey['signedBytes']): Uint8Array {
  if (format === 'value') {
    // Only the value is signed, so a sample that states a time or a counter states what nothing proves.
    if (sample.producedAt !== null || sample.sequence !== null)
      throw invalid(sample, 'time and sequence are not signed')
    return fromHex(sample.value, 32)
  }
  if (sample.producedAt === null || sample.sequence === null) throw invalid(sample, 'time or sequence is missing')
  return satelliteSignedBytes(sample.value, sample.producedAt, sample.sequence)
}

async function beaconLevel(
  sample: EntropySample,
  beacon: NonNullable<EntropySample['beacon']>,
  trust: EntropyTrust,
  now: UnixSeconds,
): Promise<EntropyProvenance | null> {
  if (trust.beacons === undefined || !Object.hasOwn(trust.beacons.names, beacon.name)) return null
  if (trust.beacons.names[beacon.name] !== sample.source) throw untrusted(sample, 'names a beacon of another source')
  if (sample.signature !== null) throw invalid(sample, 'a beacon value carries no signature of its own')
  const found = await trust.beacons.verify(beacon, now)
  if (found.value !== sample.value || found.producedAt !== sample.producedAt || found.sequence !== sample.sequence) {
    throw invalid(sample, 'the beacon block says another value, time or sequence')
  }
  return 'beacon-verified'
}

/** The last second at which the sample is fresh. Throws `entropy_stale` after it, `entropy_invalid` from the future. */
export function checkFreshness(
  sample: EntropySample,
  trust: Pick<EntropyTrust, 'freshnessSeconds'>,
  now: UnixSeconds,
): UnixSeconds {
  const producedAt = sample.producedAt ?? sample.receivedAt
  if (producedAt > now + clockSkewSeconds || sample.receivedAt > now + clockSkewSeconds) {
    throw invalid(sample, 'the sample is from the future')
  }
  if (producedAt > sample.receivedAt + clockSkewSeconds) throw invalid(sample, 'received before it was produced')
  const freshUntil = Math.min(producedAt, sample.receivedAt) + trust.freshnessSeconds
  if (now > freshUntil) {
    throw new ServiceError('entropy_stale', `the ${sample.source} sample is older than ${trust.freshnessSeconds} s`, {
      source: sample.source,
      freshUntil,
      now,
    })
  }
  return freshUntil
}

const invalid = (sample: EntropySample, why: string): ServiceError =>
  new ServiceError('entropy_invalid', `entropy sample of ${sample.source}: ${why}`, { source: sample.source })
const untrusted = (sample: EntropySample, why: string): ServiceError =>
  new ServiceError('entropy_untrusted', `entropy sample of ${sample.source} ${why}`, { source: sample.source })
