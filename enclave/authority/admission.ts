import { createPublicKey, verify } from 'node:crypto'
import { ServiceError, type Hex, type UnixSeconds } from '@perigee/core'
import { maxStatementSeconds } from '@perigee/core/authorisation'
import {
  clockSkewSeconds,
  createNativeCheck,
  entropyWitnessHash,
  verifyEntropySample,
  type EntropyTrust,
} from '@perigee/core/entropy'

/** Remembers values for a while, in memory. When full it refuses new ones: dropping old ones early would let a replay pass. */
class Window<T> {
  readonly #entries = new Map<string, { value: T; until: UnixSeconds }>()
  constructor(
    private readonly seconds: number,
    private readonly capacity: number,
  ) {}
  get(key: string, now: UnixSeconds): T | undefined {
    const entry = this.#entries.get(key)
    return entry && entry.until >= now ? entry.value : undefined
  }
  set(key: string, value: T, now: UnixSeconds): void {
    for (const [old, { until }] of this.#entries) {
      if (until >= now) break // a Map keeps insertion order, and all entries live equally long
      this.#entries.delete(old)
    }
    if (this.#entries.size >= this.capacity) throw new ServiceError('enclave_busy', 'too many requests are remembered')
    this.#entries.set(key, { value, until: now + this.seconds })
  }
}

export interface AdmissionOptions {
  /** Which samples are trusted, of what level, and how long they are fresh. */
  trust: EntropyTrust
  /** Requests remembered at most. */
  capacity: number
}

/**
 * Admits a request that has an authentic, fresh sample and a new nonce. It remembers in memory only: another enclave,
 * or this one after a restart, starts empty. The ledger of samples in the database is the durable check.
 */
export function createAdmission({ trust, capacity }: AdmissionOptions) {
  // A stale sample and an expired statement are refused anyway, so nothing has to be remembered longer.
  const seconds = Math.max(trust.freshnessSeconds, maxStatementSeconds) + 2 * clockSkewSeconds
  const nonces = new Window<true>(seconds, capacity)
  const uses = new Window<string>(seconds, capacity)
  const natively = { ...trust, isSignedBy: isSignedNatively }
  const checkNonce = (nonce: Hex, now: UnixSeconds) => {
    if (nonces.get(nonce, now)) throw new ServiceError('nonce_replayed', 'use a new nonce for every attempt')
  }
  return {
    /** Memory for an operation's own results, for as long as a retry is possible. */
    window: <T>() => new Window<T>(seconds, capacity),
    /**
     * Returns the sample, and its hash as REPORTDATA binds it. `purpose` says exactly what the request would do: the same
     * purpose again is a retry, another one is reuse.
     */
    async admit(input: unknown, nonce: Hex, purpose: string, now: UnixSeconds) {
      const { sample } = await verifyEntropySample(input, natively, now)
      checkNonce(nonce, now)
      const earlier = uses.get(sample.value, now) // by value: the rest of a sample can be changed
      if (earlier !== undefined && earlier !== purpose) {
        throw new ServiceError('entropy_reused', 'this sample was used for another request')
      }
      nonces.set(nonce, true, now)
      if (earlier === undefined) uses.set(sample.value, purpose, now)
      return { sample, entropyHash: entropyWitnessHash(sample) }
    },
    /** Admits a request that uses no sample: its nonce must be new. */
    admitNonce(nonce: Hex, now: UnixSeconds): void {
      checkNonce(nonce, now)
      nonces.set(nonce, true, now)
    },
  }
}

export type Admission = ReturnType<typeof createAdmission>

/** Node's own check of a sample's signature. */
export const isSignedNatively = createNativeCheck({
  importKey: (spki) => createPublicKey({ key: Buffer.from(spki), format: 'der', type: 'spki' }),
  verify: (digest, message, key, signature) => verify(digest, message, { key, dsaEncoding: 'ieee-p1363' }, signature),
})
