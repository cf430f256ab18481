import { bytes, date, nullable, ofUser, primary, smallInteger, table, text, uuid, type RowOf } from './columns.js'
import { UserEntity } from './User.js'

/** When the bucket of a rate limit is full again (GCRA). */
export const RateLimitEntity = table({
  name: 'RateLimit',
  tableName: 'rate_limits',
  columns: { key: primary(text), freeAt: date },
})

/** Clients' idempotency keys: claimed, or answered with `status` and `body`. */
export const IdempotencyKeyEntity = table({
  name: 'IdempotencyKey',
  tableName: 'idempotency_keys',
  columns: {
    userId: primary(ofUser(UserEntity)),
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
  },
  indices: [
    { name: 'idempotency_keys_expiry', columns: ['expiresAt'] },
    { name: 'idempotency_keys_unfinished', columns: ['lockedUntil'], where: 'status IS NULL' },
  ],
})
export type IdempotencyKey = RowOf<typeof IdempotencyKeyEntity>
