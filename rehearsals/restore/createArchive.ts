import { execFile } from 'node:child_process'
import { chown, mkdir, readdir, realpath, rm, stat, writeFile, appendFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import pg from 'pg'
import { queryOnce } from '../../dev/stack/components/postgres.js'
import { waitUntil } from '../../dev/stack/processes/waitUntil.js'
import type { Supervised } from '../../dev/stack/processes/supervise.js'

const run = promisify(execFile)
/** What is not archived after this many seconds is lost with the disk. */
export const archiveTimeoutSeconds = 10

export interface ArchivedServer {
  /** Its data is in `postgres` below; backup and archive are put beside it. */
  dir: string
  url: string
  postgres: Supervised
}

/**
 * Continuous archiving of the stack's Postgres by its own means: a base backup through `pg_backup_start`, every WAL segment
 * by `archive_command`. pg_basebackup and pgBackRest do the same.
 */
export async function createArchive({ dir, url, postgres }: ArchivedServer) {
  const data = await realpath(join(dir, 'postgres'))
  const { uid, gid } = await stat(data)
  const segments = join(dir, 'wal-archive')
  const base = join(dir, 'base.tar')
  await mkdir(segments)
  await chown(segments, uid, gid)
  const ask = <T>(sql: string) => queryOnce<T>(url, sql)
  let label = ''

  return {
    segments: () => readdir(segments),

    /** Needs one restart of Postgres; in production it is set before the first start. */
    async turnOn(): Promise<void> {
      const copy = `test ! -f ${segments}/%f && cp %p ${segments}/%f.part && mv ${segments}/%f.part ${segments}/%f`
      const settings = { archive_mode: 'on', archive_command: copy, archive_timeout: `${archiveTimeoutSeconds}s` }
      for (const [name, value] of Object.entries(settings)) await ask(`ALTER SYSTEM SET ${name} = '${value}'`)
      await postgres.stop()
      await postgres.start()
    },

    /** Copies the data folder while the server runs. Returns its size in MB. */
    async takeBase(): Promise<number> {
      const session = new pg.Client({ connectionString: url })
      await session.connect() // one session from start to end, or the server ends the backup
      try {
        await session.query(`SELECT pg_backup_start('rehearsal', fast => true)`)
        const without = ['./pg_wal/*', './postmaster.*', './pg_replslot/*'].map((path) => `--exclude=${path}`)
        await run('tar', ['-C', data, ...without, '-cf', base, '.']).catch((error: { code?: unknown }) => {
          if (error.code !== 1) throw error // 1: files changed while they were read, which the WAL mends
        })
        const stopped = await session.query<{ labelfile: string }>('SELECT labelfile FROM pg_backup_stop()')
        label = stopped.rows[0]?.labelfile ?? ''
      } finally {
        await session.end()
      }
      return Math.round((await stat(base)).size / 1e6)
    },

    now: async () => (await ask<{ now: Date }>('SELECT clock_timestamp() AS now'))[0]?.now ?? new Date(),

    /** Until everything written so far is in the archive. */
    async complete(): Promise<void> {
      const [row] = await ask<{ file: string }>('SELECT pg_walfile_name(pg_switch_wal()) AS file')
      const isThere = async () => (await readdir(segments)).includes(row?.file ?? '')
      await waitUntil('the archive', isThere, { timeoutMs: 60_000 })
    },

    /** Deletes the data folder of a stopped server, puts the base backup in its place and replays the archive. */
    async restore(until: Date | null): Promise<void> {
      for (const name of await readdir(data)) await rm(join(data, name), { recursive: true })
      await run('tar', ['-C', data, '-xpf', base])
      const [labelFile, signal] = [join(data, 'backup_label'), join(data, 'recovery.signal')]
      await writeFile(labelFile, label)
      await writeFile(signal, '')
      for (const file of [labelFile, signal]) await chown(file, uid, gid)
      const settings = [`restore_command = 'cp ${segments}/%f %p'`, `recovery_target_action = 'promote'`]
      if (until) settings.push(`recovery_target_time = '${until.toISOString().replace('Z', '+00')}'`)
      await appendFile(join(data, 'postgresql.auto.conf'), `${settings.join('\n')}\n`)
      await postgres.start()
      const isOpen = async () => (await ask<{ in: boolean }>('SELECT pg_is_in_recovery() AS in'))[0]?.in === false
      await waitUntil('the end of recovery', isOpen, { timeoutMs: 120_000 })
      await ask('ALTER SYSTEM RESET recovery_target_time') // or the next recovery would stop there again
    },
  }
}

export type Archive = Awaited<ReturnType<typeof createArchive>>
