import { randomBytes } from 'node:crypto'
import { queryOnce } from '../../dev/stack/components/postgres.js'
import type { Rig } from '../rig/openRig.js'

/** Postgres knows one password per role, so a second role with the first one's rights takes over; then the first one is locked. */
export async function rotateDatabasePassword(rig: Rig): Promise<void> {
  const { databaseUrl } = rig.stack.file
  const ask = <T>(sql: string) => queryOnce<T>(databaseUrl, sql)
  const next = new URL(databaseUrl)
  const old = next.username
  next.username = `${old}_next`
  next.password = randomBytes(32).toString('hex')
  await rig.step('database password: a second role with the rights of the first', () =>
    ask(`CREATE ROLE ${next.username} LOGIN PASSWORD '${next.password}' IN ROLE ${old}`),
  )
  await rig.step('database password: workers and APIs use the second role', async () => {
    for (const kind of ['worker', 'api'] as const) await rig.roll(kind, { DATABASE_URL: next.href })
  })
  await rig.step('database password: the first role can no longer log in', async () => {
    const [left] = await ask<{ count: number }>(
      `SELECT count(*)::int FROM pg_stat_activity WHERE usename = '${old}' AND pid <> pg_backend_pid() AND backend_type = 'client backend'`,
    )
    rig.require(left?.count === 0, `${left?.count} connections still use the first role`)
    await ask(`ALTER ROLE ${old} NOLOGIN`)
    rig.stack.file.databaseUrl = next.href // for whatever of the rehearsal reads the database from now on
    await rig.pause(5)
  })
}
