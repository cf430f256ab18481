import { date, day, nullable, of, ofUser, primary, smallInteger, table, text, uuid } from './columns.js'
import { UserEntity } from './User.js'

const count = { ...smallInteger, default: 0 }

/** What a share counts. A birth is a wallet's key being made. */
export type UsageKind = 'transaction' | 'message' | 'birth'

/** What one user asked for on one UTC day, counted by `take_share` before the enclave is called. */
export const UsageDayEntity = table({
  name: 'UsageDay',
  tableName: 'usage_days',
  columns: {
    userId: primary(ofUser(UserEntity)),
    day: primary(day),
    /** The operator's group that the user was in when it was last counted. */
    groupName: nullable(text),
    /** Of transactions. */
    signatures: count,
    messages: count,
    births: count,
  },
  indices: [{ name: 'usage_days_group', columns: ['day', 'groupName'] }],
})

/**
 * Something counted that is not known to be over: not signed yet, or signed and not yet seen on its chain. A request that
 * comes again finds it and is not counted twice.
 */
export const SigningClaimEntity = table({
  name: 'SigningClaim',
  tableName: 'signing_claims',
  columns: {
    userId: primary(ofUser(UserEntity)),
    /** The digest, a message's request hash, or `birth`. */
    hash: primary(text),
    kind: of<UsageKind>(text),
    groupName: nullable(text),
    /** The day it is counted on. */
    day,
    claimedAt: date,
  },
  indices: [
    { name: 'signing_claims_group', columns: ['groupName'], where: 'group_name IS NOT NULL' },
    { name: 'signing_claims_age', columns: ['claimedAt'] },
  ],
  checks: [{ name: 'signing_claims_kind_check', expression: `kind IN ('transaction', 'message', 'birth')` }],
})

/** Event streams that are open now, in any API process. */
export const StreamPlaceEntity = table({
  name: 'StreamPlace',
  tableName: 'stream_places',
  columns: {
    id: primary(uuid),
    /** Of the client: see `clientAddress`. */
    address: text,
    userId: nullable(uuid),
    /** Renewed while the stream is open, so that a process that dies gives its places back. */
    until: date,
  },
  indices: [
    { name: 'stream_places_address', columns: ['address'] },
    { name: 'stream_places_user', columns: ['userId'], where: 'user_id IS NOT NULL' },
    { name: 'stream_places_until', columns: ['until'] },
  ],
})
