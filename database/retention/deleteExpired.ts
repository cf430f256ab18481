import type { DataSource } from 'typeorm'
import { retentionBatch, retentionRules, type RetentionRule } from './retentionRules.js'

/** Applies every rule, a batch at a time, until nothing is left or `onBatch` says stop. Returns how many rows each took. */
export async function deleteExpired(
  db: DataSource,
  onBatch: () => 'go on' | 'stop' = () => 'go on',
): Promise<Record<RetentionRule, number>> {
  const taken = {} as Record<RetentionRule, number>
  for (const [rule, sql] of Object.entries(retentionRules) as [RetentionRule, string][]) {
    taken[rule] = 0
    for (let last = retentionBatch; last === retentionBatch && onBatch() === 'go on'; taken[rule] += last) {
      last = await takeBatch(db, sql)
    }
  }
  return taken
}

/** SQL: a limit on what is changed, which the ORM cannot say. TypeORM answers an update with its rows and their number. */
async function takeBatch(db: DataSource, sql: string): Promise<number> {
  const [, count] = await db.query<[unknown[], number]>(sql, [retentionBatch])
  return count
}
