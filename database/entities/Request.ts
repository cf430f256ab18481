import { EntitySchema } from 'typeorm'
import { bytes, date, nullable, primary, smallInteger, text, uuid } from './columns.js'
import { UserEntity } from './User.js'

/** When the bucket of a rate limit is full again (GCRA). */
export interface RateLimit {
  key: string
  freeAt: Date
}

export const RateLimitEntity = new EntitySchema<RateLimit>({
  name: 'RateLimit',
  tableName: 'rate_limits',
  columns: { key: primary(text), freeAt: date },
})

/** A client's idempotency key: claimed, or answered with `status` and `body`. */
export interface IdempotencyKey {
  userId: string
  route: string
  keyHash: Buffer
  /** Hash of the request: the same key must not stand for two requests. */
  fingerprint: Buffer
  /** Names the attempt that claimed it: only that one may answer it or give it back. */
  owner: string
  status: number | null
  body: string | null
  lockedUntil: Date
  expiresAt: Date
}

export const IdempotencyKeyEntity = new EntitySchema<IdempotencyKey>({
  name: 'IdempotencyKey',
  tableName: 'idempotency_keys',
  columns: {
    userId: { ...primary(uuid), foreignKey: { target: UserEntity, onDelete: 'CASCADE' } },
    route: primary(text),
    keyHash: primary(bytes),
    fingerprint: bytes,
    owner: uuid,
    status: nullable(smallInteger),
    body: nullable(text),
    lockedUntil: date,
    expiresAt: date,
  },
  indices: [{ name: 'idempotency_keys_expiry', columns: ['expiresAt'] }],
})
