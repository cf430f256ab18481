import type { EntityManager } from 'typeorm'

/** Waits until nobody else, in any process, holds this name, and holds it until the transaction ends; a killed process lets go. */
export async function lockUntilCommit(manager: EntityManager, name: string): Promise<void> {
  await manager.query('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [name]) // SQL: an advisory lock
}

/** The same without waiting: false when somebody else holds it. */
export async function tryLockUntilCommit(manager: EntityManager, name: string): Promise<boolean> {
  const sql = 'SELECT pg_try_advisory_xact_lock(hashtextextended($1, 0)) AS held' // SQL: an advisory lock
  return (await manager.query<{ held: boolean }[]>(sql, [name]))[0]?.held === true
}
