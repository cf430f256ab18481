/** A bucket of `burst` requests that refills at `perSecond`. */
export interface RateLimit {
  perSecond: number
  burst: number
}

/**
 * The limits by name. `address` counts requests without a session, `session` those of one person, over all their
 * sessions, both in this process's memory: they shed floods, so with N processes a client gets up to N times as much.
 * `provision` counts per user, `signIn` and `attestation` per address, and `signInUser` (finished sign-ins) per user, in
 * Postgres, over all processes. Signatures have shares instead (`api/shares`).
 */
export const defaultRateLimits = {
  address: { perSecond: 100, burst: 500 },
  session: { perSecond: 20, burst: 100 },
  provision: { perSecond: 1, burst: 60 },
  signIn: { perSecond: 10, burst: 200 },
  signInUser: { perSecond: 0.2, burst: 60 },
  attestation: { perSecond: 2, burst: 20 },
} satisfies Record<string, RateLimit>
export type RateLimits = typeof defaultRateLimits

/** Where a caller stands after a request. */
export interface LimitVerdict {
  allowed: boolean
  remaining: number
  /** Until the bucket is full again. */
  resetSeconds: number
  retryAfterSeconds: number
}

/** Turns the time until the bucket is full again (GCRA) into what the caller sees. */
export function toVerdict({ perSecond, burst }: RateLimit, allowed: boolean, busyMs: number): LimitVerdict {
  const intervalMs = 1000 / perSecond
  return {
    allowed,
    remaining: Math.max(0, Math.floor(burst - busyMs / intervalMs)),
    resetSeconds: Math.ceil(busyMs / 1000),
    retryAfterSeconds: allowed ? 0 : Math.max(1, Math.ceil((busyMs - (burst - 1) * intervalMs) / 1000)),
  }
}

/** `session:20/100,address:50/200`: requests a second, and how many at once. Unnamed limits keep their defaults. */
export function parseRateLimits(entries: readonly string[]): RateLimits | null {
  const limits: RateLimits = { ...defaultRateLimits }
  for (const entry of entries) {
    const [, name, rate, burst] = /^(\w+):(\d{1,6}(?:\.\d{1,3})?)\/(\d{1,6})$/.exec(entry) ?? []
    if (!name || !Object.hasOwn(limits, name) || !(Number(rate) > 0) || !(Number(burst) >= 1)) return null
    limits[name as keyof RateLimits] = { perSecond: Number(rate), burst: Number(burst) }
  }
  return limits
}
