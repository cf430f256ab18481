import { EntitySchema } from 'typeorm'
import { bytes, date, nullable, primary, text, unique, uuid } from './columns.js'
import { UserEntity } from './User.js'

/** One sign-in on one browser. The table decides whether it is alive; the cookie only names it. */
export interface Session {
  /** Names the session to its owner. Worth nothing as a credential. */
  id: string
  /** SHA-256 of the random id in the cookie: a stolen table opens no session. */
  secretHash: Buffer
  userId: string
  createdAt: Date
  lastSeenAt: Date
  expiresAt: Date
  revokedAt: Date | null
}

export const SessionEntity = new EntitySchema<Session>({
  name: 'Session',
  tableName: 'sessions',
  columns: {
    id: { type: 'uuid', primary: true, generated: 'uuid' },
    secretHash: unique(bytes),
    userId: { ...uuid, foreignKey: { target: UserEntity, onDelete: 'CASCADE' } },
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

/** A sign-in that came back from the identity provider; kept until it expires, so that it cannot come back twice. */
export interface SignInTransaction {
  id: string
  expiresAt: Date
}

export const SignInTransactionEntity = new EntitySchema<SignInTransaction>({
  name: 'SignInTransaction',
  tableName: 'sign_in_transactions',
  columns: { id: primary(text), expiresAt: date },
})
