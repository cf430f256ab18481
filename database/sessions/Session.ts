import { EntitySchema } from 'typeorm'

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
    secretHash: { name: 'secret_hash', type: 'bytea', unique: true },
    userId: { name: 'user_id', type: 'uuid' },
    createdAt: { name: 'created_at', type: 'timestamptz' },
    lastSeenAt: { name: 'last_seen_at', type: 'timestamptz' },
    expiresAt: { name: 'expires_at', type: 'timestamptz' },
    revokedAt: { name: 'revoked_at', type: 'timestamptz', nullable: true },
  },
})
