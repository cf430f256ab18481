import type { DataSource } from 'typeorm'

/** Throws one line, before anything is changed, unless this release can use the schema or bring it up to date. */
export async function checkSchema(database: DataSource): Promise<void> {
  const [state] = await database.query<{ tables: number; recorded: boolean }[]>(
    // SQL: asks the catalogue, before any table is known to exist
    `SELECT count(*)::int AS tables, coalesce(bool_or(tablename = 'migrations'), false) AS recorded
       FROM pg_tables WHERE schemaname = 'public'`,
  )
  if (!state || state.tables === 0) return // a new database
  if (!state.recorded) throw new Error('the database holds tables, but not ours: give Perigee a database of its own')
  const applied = await database.query<{ name: string; timestamp: number }[]>(
    'SELECT name, timestamp FROM migrations ORDER BY timestamp', // SQL: TypeORM's own table
  )
  const known = database.migrations.map(({ name, constructor }) => name ?? constructor.name)
  const unknown = applied.filter(({ name }) => !known.includes(name))
  if (unknown.length === 0) return
  const names = unknown.map(({ name }) => name).join(', ')
  const newest = Math.max(...known.map(timestampOf))
  if (unknown.some(({ timestamp }) => timestamp > newest)) {
    throw new Error(`the schema is newer than this release, which does not know ${names}: start the newer release`)
  }
  throw new Error(`the schema is too old for this release, which no longer knows ${names}: start with a new database`)
}

/** TypeORM ends the name of a migration with the milliseconds of its making. */
const timestampOf = (name: string) => Number(name.slice(-13))
