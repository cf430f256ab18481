import { EntitySchema } from 'typeorm'
import { date, day, nullable, of, primary, smallInteger, text, uuid, type Row } from './columns.js'
import { UserEntity } from './User.js'

const ofUser = { foreignKey: { target: UserEntity, onDelete: 'CASCADE' as const } }
const count = { ...smallInteger, default: 0 }

/** What a share counts. A birth is a wallet's key being made. */
export type UsageKind = 'transaction' | 'message' | 'birth'

const usageColumns = {
  userId: { ...primary(uuid), ...ofUser },
  day: primary(day),
  /** The operator's group that the user was in when it was last counted. */
  groupName: nullable(text),
  /** Of transactions. */
  signatures: count,
  messages: count,
  births: count,
}

/** What one user asked for on one UTC day, counted by `take_share` before the enclave is called. */
export const UsageDayEntity = new EntitySchema<Row<typeof usageColumns>>({
  name: 'UsageDay',
  tableName: 'usage_days',
  columns: usageColumns,
  indices: [{ name: 'usage_days_group', columns: ['day', 'groupName'] }],
})

const claimColumns = {
  userId: { ...primary(uuid), ...ofUser },
  /** The digest, a message's request hash, or `birth`. */
  hash: primary(text),
  kind: of<UsageKind>(text),
  groupName: nullable(text),
  /** The day it is counted on. */
  day,
  claimedAt: date,
}

/**
 * Something counted that is not known to be over: not signed yet, or signed and not yet seen on its chain. A request that
 * comes again finds it and is not counted twice.
 */
export const SigningClaimEntity = new EntitySchema<Row<typeof claimColumns>>({
  name: 'SigningClaim',
  tableName: 'signing_claims',
  columns: claimColumns,
  indices: [
    { name: 'signing_claims_group', columns: ['groupName'], where: 'group_name IS NOT NULL' },
    { name: 'signing_claims_age', columns: ['claimedAt'] },
  ],
  checks: [{ name: 'signing_claims_kind_check', expression: `kind IN ('transaction', 'message', 'birth')` }],
})

const placeColumns = {
  id: primary(uuid),
  /** Of the client: see `clientAddress`. */
  address: text,
  userId: nullable(uuid),
  /** Renewed while the stream is open, so that a process that dies gives its places back. */
  until: date,
}

/** An event stream that is open now, in any API process. */
export const StreamPlaceEntity = new EntitySchema<Row<typeof placeColumns>>({
  name: 'StreamPlace',
  tableName: 'stream_places',
  columns: placeColumns,
  indices: [
    { name: 'stream_places_address', columns: ['address'] },
    { name: 'stream_places_user', columns: ['userId'], where: 'user_id IS NOT NULL' },
    { name: 'stream_places_until', columns: ['until'] },
  ],
})
