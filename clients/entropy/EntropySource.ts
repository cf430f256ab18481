import type { EntropySample } from '@perigee/core/entropy'

/** A source of random values. Adapters translate and check the form; `verifyEntropySample` decides what is believed. */
export interface EntropySource {
  readonly name: string
  readonly maxBatch: number
  /** How much it lets us ask. Counted across all workers, in Postgres. */
  readonly limits: {
    /** At most this many requests in any `perSeconds`. */
    requests: number
    perSeconds: number
    /** At most this many samples a UTC day; null when unlimited. */
    samplesPerDay: number | null
    /** How many are worth holding at once, when the source makes few. */
    ahead?: number
  }
  /**
   * Up to `count` samples; none when the source has nothing new yet, which is no failure. Throws `entropy_unavailable`
   * (with `retryAfterSeconds` when the source said so) or `entropy_invalid`.
   */
  fetch(count: number): Promise<EntropySample[]>
}
