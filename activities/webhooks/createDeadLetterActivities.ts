import type { DataSource } from 'typeorm'
import { markDead, type DeadLetter } from '../../database/index.js'

export function createDeadLetterActivities({ database }: { database: DataSource }) {
  return {
    /** Safe to retry: a delivery that has ended stays as it is. */
    recordDeadLetter: (letter: DeadLetter): Promise<void> => markDead(database, letter),
  }
}

export type DeadLetterActivities = ReturnType<typeof createDeadLetterActivities>
