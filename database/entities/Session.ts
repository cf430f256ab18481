import { bytes, date, nullable, ofUser, ownId, primary, table, text, unique, type RowOf } from './columns.js'
import { UserEntity } from './User.js'

/** One sign-in on one browser. The table decides whether it is alive; the cookie only names it. */
export const SessionEntity = table({
  name: 'Session',
  tableName: 'sessions',
  columns: {
    /** Names the session to its owner. Worth nothing as a credential. */
    id: ownId,
    /** SHA-256 of the random id in the cookie: a stolen table opens no session. */
    secretHash: unique(bytes),
    userId: ofUser(UserEntity),
    createdAt: date,
    lastSeenAt: date,
    expiresAt: date,
    revokedAt: nullable(date),
  },
  indices: [
    { name: 'sessions_of_user', columns: ['userId'], where: 'revoked_at IS NULL' },
    { name: 'sessions_expiry', columns: ['expiresAt'] },
    { name: 'sessions_revoked', columns: ['revokedAt'], where: 'revoked_at IS NOT NULL' },
  ],
  checks: [{ name: 'sessions_secret_hash_check', expression: 'octet_length(secret_hash) = 32' }],
})
export type Session = RowOf<typeof SessionEntity>

/** Sign-ins that came back from the identity provider; kept until they expire, so that they cannot come back twice. */
export const SignInTransactionEntity = table({
  name: 'SignInTransaction',
  tableName: 'sign_in_transactions',
  columns: { id: primary(text), expiresAt: date },
})
