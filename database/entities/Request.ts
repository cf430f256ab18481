import { EntitySchema } from 'typeorm'
import { bytes, date, nullable, primary, smallInteger, text, uuid, type Row } from './columns.js'
import { UserEntity } from './User.js'

const limitColumns = { key: primary(text), freeAt: date }

/** When the bucket of a rate limit is full again (GCRA). */
export const RateLimitEntity = new EntitySchema<Row<typeof limitColumns>>({
  name: 'RateLimit',
  tableName: 'rate_limits',
  columns: limitColumns,
})

const keyColumns = {
  userId: { ...primary(uuid), foreignKey: { target: UserEntity, onDelete: 'CASCADE' as const } },
  route: primary(text),
  keyHash: primary(bytes),
  /** Hash of the request: the same key must not stand for two requests. */
  fingerprint: bytes,
  /** Names the attempt that claimed it: only that one may answer it or give it back. */
  owner: uuid,
  status: nullable(smallInteger),
  body: nullable(text),
  lockedUntil: date,
  expiresAt: date,
}

/** A client's idempotency key: claimed, or answered with `status` and `body`. */
export type IdempotencyKey = Row<typeof keyColumns>

export const IdempotencyKeyEntity = new EntitySchema<IdempotencyKey>({
  name: 'IdempotencyKey',
  tableName: 'idempotency_keys',
  columns: keyColumns,
  indices: [
    { name: 'idempotency_keys_expiry', columns: ['expiresAt'] },
    { name: 'idempotency_keys_unfinished', columns: ['lockedUntil'], where: 'status IS NULL' },
  ],
})
