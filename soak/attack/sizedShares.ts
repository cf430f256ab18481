/**
 * Limits and shares for a service on two cores, which signs some seven times a second. With the defaults nine users could
 * have 45 signatures a second, and everybody would wait. Here nine have one in two seconds. docs/shares.md says how to size them.
 */
export const sizedShares = {
  users: { perSecond: 0.06, burst: 1, perDay: 300, unsent: 5 },
  births: { perSecond: 1, burst: 100 }, // all users of this run come from one address
  streams: { perAddress: 100, perUser: 20 },
}

/** `RATE_LIMITS`: requests a second of one address and of one person, and how many at once. */
export const sizedRateLimits = 'address:3/30,session:0.5/8'
