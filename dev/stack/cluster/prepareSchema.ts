import { run } from '../binaries/run.js'
import type { ServerPrograms } from '../binaries/index.js'
import { queryOnce } from '../components/postgres.js'

interface SchemaOptions {
  programs: ServerPrograms
  env: NodeJS.ProcessEnv
  databaseUrl: string
  user: string
  password: string
}

const databases = { temporal: 'postgresql/v12/temporal', temporal_visibility: 'postgresql/v12/visibility' }

/** A user that may make its own databases and nothing else, and the schema of this server. What exists is left. */
export async function prepareSchema({ programs, env, databaseUrl, user, password }: SchemaOptions): Promise<void> {
  const { hostname, port } = new URL(databaseUrl)
  const ask = <T>(sql: string) => queryOnce<T>(new URL('/postgres', databaseUrl).href, sql)
  const users = await ask(`SELECT 1 FROM pg_roles WHERE rolname = '${user}'`)
  if (users.length === 0) await ask(`CREATE USER ${user} WITH CREATEDB PASSWORD '${password}'`)
  for (const [database, schema] of Object.entries(databases)) {
    const place = ['--plugin', 'postgres12', '--ep', hostname, '-p', port, '-u', user, '--db', database]
    const tool = (...args: string[]) =>
      run(programs.sqlTool, [...place, ...args], { env: { ...env, SQL_PASSWORD: password }, timeoutMs: 120_000 })
    const found = await ask(`SELECT 1 FROM pg_database WHERE datname = '${database}'`)
    if (found.length === 0) await tool('create')
    const versions = `SELECT 1 FROM information_schema.tables WHERE table_name = 'schema_version'`
    const versioned = await queryOnce(new URL(`/${database}`, databaseUrl).href, versions)
    if (versioned.length === 0) await tool('setup-schema', '-v', '0.0')
    await tool('update-schema', '--schema-name', schema)
  }
}
