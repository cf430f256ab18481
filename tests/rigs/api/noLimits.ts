import type { RateLimits } from '../../../api/limits/RateLimit.js'
import type { Shares } from '../../../api/shares/Shares.js'

const wide = { perSecond: 100_000, burst: 100_000 }

/** Wide enough that nobody reaches them by accident. */
export const noLimits: RateLimits = {
  address: wide,
  session: wide,
  provision: wide,
  signIn: wide,
  signInUser: wide,
  attestation: wide,
}

/** The same as `RATE_LIMITS`. */
export const noLimitsText = Object.entries(noLimits)
  .map(([name, { perSecond, burst }]) => `${name}:${perSecond}/${burst}`)
  .join()

export const noShares: Shares = {
  users: { ...wide, perDay: 1_000_000, unsent: 1_000_000 },
  groups: [],
  addresses: wide,
  births: wide,
  streams: { perAddress: 100_000, perUser: 100_000 },
}
