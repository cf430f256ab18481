import { cp, rm, writeFile, appendFile } from 'node:fs/promises'
import { join } from 'node:path'
import pg from 'pg'
import { run } from '../../dev/stack/binaries/run.js'
import { placePostgres } from '../../dev/stack/components/placePostgres.js'
import { queryOnce } from '../../dev/stack/components/postgres.js'
import { freePort } from '../../dev/stack/processes/freePort.js'
import { openLeash } from '../../dev/stack/processes/Leash.js'
import { startComponent } from '../../dev/stack/processes/startComponent.js'
import { waitUntil } from '../../dev/stack/processes/waitUntil.js'

const slot = 'standby'

/**
 * A second Postgres that follows the stack's by streaming replication. From then on the first one acknowledges a commit
 * only when the second has it on disk, so a promotion loses nothing that was acknowledged.
 */
export async function startStandby(dir: string, databaseUrl: string) {
  const place = await placePostgres(join(dir, 'postgres'))
  const data = `${place.data}-standby`
  const port = await freePort()
  const url = Object.assign(new URL(databaseUrl), { port: String(port) }).href
  await rm(data, { recursive: true, force: true })
  await copyData(databaseUrl, place.data, data)
  const primary = new URL(databaseUrl)
  const conninfo = `host=${primary.hostname} port=${primary.port} user=${primary.username} password=${primary.password} application_name=${slot}`
  await appendFile(
    join(data, 'postgresql.auto.conf'),
    `primary_conninfo = '${conninfo}'\nprimary_slot_name = '${slot}'\n`,
  )
  await writeFile(join(data, 'standby.signal'), '')
  const { uid, gid } = place.identity
  if (uid !== undefined && gid !== undefined) await run('chown', ['-R', `${uid}:${gid}`, data])
  await run('chmod', ['700', data])

  const leash = openLeash()
  const settings = { port, listen_addresses: '127.0.0.1', unix_socket_directories: '', max_connections: 400 }
  const component = {
    name: 'postgres-standby',
    stopSignal: 'SIGINT' as const,
    command: () => ({
      file: place.postgres,
      args: ['-D', data, ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])],
      env: { ...process.env, LC_ALL: 'C' },
      cwd: data,
      ...place.identity,
    }),
    isReady: async () => (await queryOnce(url, 'SELECT 1')).length === 1,
  }
  try {
    await startComponent(component, leash, join(dir, 'logs'))
    await queryOnce(databaseUrl, `ALTER SYSTEM SET synchronous_standby_names = '${slot}'`)
    await queryOnce(databaseUrl, 'SELECT pg_reload_conf()')
    const inStep = `SELECT 1 FROM pg_stat_replication WHERE application_name = '${slot}' AND sync_state = 'sync'`
    await waitUntil('the standby', async () => (await queryOnce(databaseUrl, inStep)).length === 1, {
      timeoutMs: 60_000,
    })
  } catch (error) {
    await leash.close()
    throw error
  }
  return {
    port,
    url,
    /** Makes it a server of its own. The one it followed must not be used any more. */
    promote: () => queryOnce(url, 'SELECT pg_promote(true, 60)'),
    close: () => leash.close(),
  }
}

/** A base backup by Postgres's own functions, because the package carries no `pg_basebackup`. */
async function copyData(databaseUrl: string, from: string, to: string): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect() // start and stop belong to one session
  try {
    await client.query(`SELECT pg_create_physical_replication_slot($1, true)`, [slot])
    await client.query(`SELECT pg_backup_start('standby', true)`)
    const live = /postmaster\.(pid|opts)$|pg_replslot\/.+|pgsql_tmp/
    // Files may vanish while they are copied; the log replays what is missing.
    await cp(from, to, { recursive: true, filter: (path) => !live.test(path) })
    const { rows } = await client.query<{ labelfile: string }>('SELECT labelfile FROM pg_backup_stop(false)')
    await writeFile(join(to, 'backup_label'), rows[0]?.labelfile ?? '')
  } finally {
    await client.end()
  }
}
