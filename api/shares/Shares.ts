import { z } from 'zod'
import type { RateLimit } from '../limits/RateLimit.js'

const perSecond = z.number().positive().max(1_000_000)
const count = z.number().int().min(1).max(100_000_000)
const rateSchema = z.strictObject({ perSecond, burst: count })
const shareSchema = z.strictObject({ perSecond, burst: count, perDay: count, unsent: count })
const streamsSchema = z.strictObject({ perAddress: count, perUser: count })
export type GroupEntry = z.infer<typeof groupSchema>
const groupSchema = z.strictObject({
  name: z.string().regex(/^[a-z0-9-]{1,40}$/, 'a group’s name has up to 40 of a-z, 0-9 and -'),
  members: z.array(z.string().regex(/^[^:]+:.{1,255}$/, 'a member is provider:subject')).max(100_000),
  users: shareSchema.optional(),
  group: shareSchema,
})

/** The form of `SHARES_FILE`; what it does not name keeps its default. */
export const sharesFileSchema = z.strictObject({
  users: shareSchema.optional(),
  groups: z.array(groupSchema).max(1000).optional(),
  addresses: rateSchema.optional(),
  births: rateSchema.optional(),
  streams: streamsSchema.optional(),
})

/** Signatures (of transactions and messages, and the making of a wallet) a second, a day, and transactions unsent at once. */
export type Share = z.infer<typeof shareSchema>

export interface Group {
  name: string
  members: { issuer: string; subject: string }[]
  /** Of each member. */
  users: Share
  /** Of all members together. */
  group: Share
}

export interface Shares {
  /** Of a user who is in no group. */
  users: Share
  groups: Group[]
  /** Signatures from one address, of whatever users. */
  addresses: RateLimit
  /** Wallets made from one address. */
  births: RateLimit
  /** Event streams open at once. */
  streams: z.infer<typeof streamsSchema>
}

/** A day's share is well below the 1,500 samples that the satellite gives a day. */
export const defaultShares: Shares = {
  users: { perSecond: 5, burst: 25, perDay: 300, unsent: 50 },
  groups: [],
  addresses: { perSecond: 20, burst: 200 },
  births: { perSecond: 0.02, burst: 50 },
  streams: { perAddress: 100, perUser: 20 },
}

export const defaultEntropyReserve = 200
