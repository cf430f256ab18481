import { createPublicKey, verify } from 'node:crypto'
import { ServiceError, type Hex, type UnixSeconds } from '@perigee/core'
import {
  clockSkewSeconds,
  createNativeCheck,
  entropyWitnessHash,
  verifyEntropySample,
  type EntropySample,
  type EntropyTrust,
} from '@perigee/core/entropy'

/** Remembers values for a time, in memory. It refuses rather than forgets: forgetting early would let one pass twice. */
export class Window<T> {
  readonly #entries = new Map<string, { value: T; until: UnixSeconds }>()
  constructor(
    private readonly seconds: number,
    private readonly capacity: number,
  ) {}
  get(key: string, now: UnixSeconds): T | undefined {
    const entry = this.#entries.get(key)
    return entry && entry.until > now ? entry.value : undefined
  }
  set(key: string, value: T, now: UnixSeconds): void {
    for (const [old, { until }] of this.#entries) {
      if (until > now) break // a Map keeps the order of insertion, and every entry lives equally long
      this.#entries.delete(old)
    }
    if (this.#entries.size >= this.capacity) throw new ServiceError('enclave_busy', 'too many requests are remembered')
    this.#entries.set(key, { value, until: now + this.seconds })
  }
}

export interface AdmissionOptions {
  /** Whose samples are believed, of what level, and for how long they are fresh. */
  trust: EntropyTrust
  /** Requests remembered at most. */
  capacity: number
}

/** A request let in: what its sample said, and its name in REPORTDATA. */
export interface Admitted {
  sample: EntropySample
  entropyHash: Hex
}

/**
 * Admits a request: an authentic, fresh sample and a nonce never seen. What it remembers is one process's memory:
 * another enclave, or this one restarted, starts empty. The ledger of samples in the database is the lasting guard.
 */
export function createAdmission({ trust, capacity }: AdmissionOptions) {
  // Once a sample is stale its replay is refused for that, so nothing need be remembered longer.
  const seconds = trust.freshnessSeconds + 2 * clockSkewSeconds
  const nonces = new Window<true>(seconds, capacity)
  const uses = new Window<string>(seconds, capacity)
  const natively = { ...trust, isSignedBy: isSignedNatively }
  return {
    /** Memory for an operation's own results, as long as a retry may come. */
    window: <T>() => new Window<T>(seconds, capacity),
    /** `purpose` is all that the request would do: asking again for the same thing is a retry, for another is reuse. */
    async admit(input: unknown, nonce: Hex, purpose: string, now: UnixSeconds): Promise<Admitted> {
      const { sample } = await verifyEntropySample(input, natively, now)
      if (nonces.get(nonce, now)) throw new ServiceError('nonce_replayed', 'take a new nonce for every attempt')
      const earlier = uses.get(sample.value, now) // by value: the rest of a sample can be reworded
      if (earlier !== undefined && earlier !== purpose) {
        throw new ServiceError('entropy_reused', 'this sample has served another request')
      }
      nonces.set(nonce, true, now)
      if (earlier === undefined) uses.set(sample.value, purpose, now)
      return { sample, entropyHash: entropyWitnessHash(sample) }
    },
  }
}

export type Admission = ReturnType<typeof createAdmission>

/** Node's own check of a sample's signature. */
export const isSignedNatively = createNativeCheck({
  importKey: (spki) => createPublicKey({ key: Buffer.from(spki), format: 'der', type: 'spki' }),
  verify: (digest, message, key, signature) => verify(digest, message, { key, dsaEncoding: 'ieee-p1363' }, signature),
})
