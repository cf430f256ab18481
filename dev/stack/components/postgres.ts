import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { chown, mkdir, rm, unlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import pg from 'pg'
import { run } from '../binaries/run.js'
import type { Component } from './Component.js'
import { placePostgres, type PostgresPlace } from './placePostgres.js'
import { serviceName } from './names.js'
import type { ServerOptions } from './ServerOptions.js'

type PostgresOptions = Pick<ServerOptions, 'dir' | 'ports' | 'durable' | 'databasePassword' | 'env'>

const user = 'perigee'

type Access = Pick<PostgresOptions, 'ports' | 'databasePassword'>

/** The address of a database of this server. */
export const databaseUrl = ({ ports, databasePassword }: Access, database: string): string =>
  `postgresql://${user}:${databasePassword}@127.0.0.1:${ports.postgres}/${database}`

/** The Postgres that npm carries, on loopback only, with a password. Started by root, it runs as an ordinary user. */
export function createPostgres(options: PostgresOptions): Component {
  let place: PostgresPlace
  const query = (sql: string) => queryOnce(databaseUrl(options, 'postgres'), sql)
  return {
    name: 'postgres',
    stopSignal: 'SIGINT', // "fast": sessions are ended, data is flushed
    async prepare() {
      place ??= await placePostgres(join(options.dir, 'postgres'))
      if (!existsSync(join(place.data, 'PG_VERSION'))) await initialise(place, options)
    },
    command: () => ({
      file: place.postgres,
      args: ['-D', place.data, ...settings(options)],
      env: { ...options.env, LC_ALL: 'C' },
      cwd: place.data,
      ...place.identity,
    }),
    isReady: async () => (await query('SELECT 1')) !== undefined,
    async afterStart() {
      const found = await query(`SELECT 1 FROM pg_database WHERE datname = '${serviceName}'`)
      if (found.length === 0) await query(`CREATE DATABASE ${serviceName}`)
    },
  }
}

function settings({ ports, durable }: PostgresOptions): string[] {
  const values = {
    port: ports.postgres,
    listen_addresses: '127.0.0.1',
    unix_socket_directories: '', // its path has a length limit that a deep clone would break
    max_connections: 400, // a Temporal cluster alone may open 150
    ...(durable ? {} : { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off', autovacuum: 'off' }),
  }
  return Object.entries(values).flatMap(([name, value]) => ['-c', `${name}=${value}`])
}

async function initialise(place: PostgresPlace, options: PostgresOptions): Promise<void> {
  await rm(place.data, { recursive: true, force: true }) // a first start that was interrupted
  await mkdir(place.data, { recursive: true, mode: 0o700 })
  const passwordFile = `${place.data}.password-${randomBytes(6).toString('hex')}`
  await writeFile(passwordFile, options.databasePassword, { mode: 0o600 })
  const { uid, gid } = place.identity
  if (uid !== undefined && gid !== undefined) {
    await chown(place.data, uid, gid)
    await chown(passwordFile, uid, gid)
  }
  const account = ['--auth=scram-sha-256', `--username=${user}`, `--pwfile=${passwordFile}`]
  // A test run opens thousands of connections, and each asks the client to hash the password 4,096 times.
  const forgotten = ['--no-sync', '--set=scram_iterations=1']
  const flags = ['--encoding=UTF8', '--locale=C', ...(options.durable ? [] : forgotten)]
  const how = { cwd: place.data, env: { ...options.env, LC_ALL: 'C' }, timeoutMs: 120_000, ...place.identity }
  try {
    await run(place.initdb, [`--pgdata=${place.data}`, ...account, ...flags], how)
  } finally {
    await unlink(passwordFile)
  }
}

/** Asks one question on a connection of its own. */
export async function queryOnce<T>(url: string, sql: string): Promise<T[]> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 15_000 })
  client.on('error', () => undefined) // the server went away under us; the query says so
  await client.connect()
  try {
    return (await client.query(sql)).rows as T[]
  } finally {
    await client.end()
  }
}
