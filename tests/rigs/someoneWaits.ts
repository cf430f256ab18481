import type { DataSource } from 'typeorm'
import { expect } from 'vitest'

const waiting = `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`

/** Resolves when some statement waits for a lock in this database. */
export async function someoneWaits(database: DataSource): Promise<void> {
  await expect.poll(() => database.query<unknown[]>(waiting), { interval: 10 }).not.toEqual([])
}
