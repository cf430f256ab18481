import { LimitsIdempotencyAudit1700000000010 } from './1700000000010-limits-idempotency-audit.js'
import { PublishingIndexes1700000000020 } from './1700000000020-publishing-indexes.js'
import { OpenSlot1700000000030 } from './1700000000030-open-slot.js'
import { UsersAndSessions1700000000001 } from './1700000000001-users-and-sessions.js'
import { Signing1700000000002 } from './1700000000002-signing.js'
import { Entropy1700000000003 } from './1700000000003-entropy.js'

/** Every migration, oldest first. */
export const migrations = [
  UsersAndSessions1700000000001,
  Signing1700000000002,
  Entropy1700000000003,
  LimitsIdempotencyAudit1700000000010,
  PublishingIndexes1700000000020,
  OpenSlot1700000000030,
]
