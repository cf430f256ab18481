import type { DataSource } from 'typeorm'
import { eventValues, type NewAuditEvent } from '../auditLog/appendAuditEvent.js'
import type { UsageKind } from '../entities/Usage.js'

/** A limit that several requests share. Scopes are passed as address, group, user: `take_share` locks in this order. */
export interface ShareScope {
  scope: 'address' | 'group' | 'user'
  /** Names the bucket, and the lock. */
  key: string
  intervalMs: number
  burst: number
  /** Absent for an address. */
  perDay?: number
  unsent?: number
}

interface ShareRequest {
  userId: string
  kind: UsageKind
  /** What is asked for: the digest, a message's request hash, or `birth`. */
  hash: string
  group: string | null
  scopes: readonly ShareScope[]
  /** How long an unseen transaction counts as unsent. */
  unsentSeconds: number
  entropyReserve: number
  /** Appended to the audit log in the same commit, unless the request is refused. */
  event: NewAuditEvent | null
}

/**
 * `known`: made or counted before. `refused`: `share` names the one that is used up (`user.perDay`), or `entropy`, and
 * `wait` is in seconds. `used` is the user's count of today.
 */
export type ShareAnswer =
  | { outcome: 'known' }
  | { outcome: 'taken'; used: number }
  | { outcome: 'refused'; share: string; wait: number; used: number }

const takeSql = 'SELECT * FROM take_share($1, $2, $3, $4, $5, $6, $7)'
const takeAndAppendSql = `
  WITH answer AS MATERIALIZED (${takeSql})
  SELECT *, CASE WHEN outcome <> 'refused' THEN append_audit_event($8, $9, $10, $11) END FROM answer`

/** Decides and counts, over all API processes: see `migrations/initial/takeShare.ts`. The clock is the database's. */
export async function takeShare(database: DataSource, request: ShareRequest): Promise<ShareAnswer> {
  const { userId, kind, hash, group, scopes, unsentSeconds, entropyReserve, event } = request
  const values = [userId, kind, hash, group, JSON.stringify(scopes), unsentSeconds, entropyReserve]
  const rows = await (event
    ? database.query<ShareAnswer[]>(takeAndAppendSql, [...values, ...eventValues(event)])
    : database.query<ShareAnswer[]>(takeSql, values))
  return rows[0] as ShareAnswer
}
