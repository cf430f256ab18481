import { LessThan, Raw, type DataSource } from 'typeorm'
import { IdempotencyKeyEntity, RateLimitEntity } from '../entities/Request.js'
import { SessionEntity, SignInTransactionEntity } from '../entities/Session.js'
import { StreamPlaceEntity } from '../entities/Usage.js'

/** Deletes sessions that ended a month ago, expired sign-ins and idempotency keys, limits that are full again and places of dead streams. */
export async function deleteExpired(database: DataSource, now: Date): Promise<void> {
  const past = LessThan(now)
  const monthAgo = LessThan(new Date(now.getTime() - 30 * 86_400_000))
  const pastOnServer = Raw((column) => `${column} < clock_timestamp()`) // where the server's clock set the expiry
  await Promise.all([
    database.getRepository(SessionEntity).delete([{ expiresAt: monthAgo }, { revokedAt: monthAgo }]),
    database.getRepository(SignInTransactionEntity).delete({ expiresAt: past }),
    database.getRepository(IdempotencyKeyEntity).delete({ expiresAt: pastOnServer }),
    database.getRepository(StreamPlaceEntity).delete({ until: pastOnServer }),
    database.getRepository(RateLimitEntity).delete({ freeAt: pastOnServer }),
  ])
}
