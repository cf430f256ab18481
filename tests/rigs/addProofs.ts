import type { DataSource, QueryRunner } from 'typeorm'

/** Copies of one finished proof, as large as the real one, each with its own keys. Postgres makes them itself. */
export async function addProofs(database: DataSource, count: number): Promise<void> {
  const connection = database.createQueryRunner()
  try {
    await connection.query('SET statement_timeout = 0') // a hundred thousand take longer than a request may
    await copyProofs(connection, count)
  } finally {
    await connection.query('RESET statement_timeout').catch(() => undefined)
    await connection.release()
  }
}

async function copyProofs(database: QueryRunner, count: number): Promise<void> {
  const hash = (column: string) => `'0x' || encode(sha256((${column})::bytea), 'hex')`
  const copy = async (table: string, changed: Record<string, string>, from: string) => {
    const columns = (await database.query(
      `SELECT column_name AS name FROM information_schema.columns
        WHERE table_name = $1 AND table_schema = current_schema()`,
      [table],
    )) as { name: string }[]
    const names = columns.map(({ name }) => name)
    const values = names.map((name) => changed[name] ?? `original.${name}`)
    await database.query(`INSERT INTO ${table} (${names.join(', ')}) SELECT ${values.join(', ')} FROM ${from}`)
  }
  await database.query(
    `CREATE TABLE seed AS SELECT 'copy-' || gen_random_uuid() AS slug, t.slug AS original
       FROM generate_series(1, ${count}),
            (SELECT slug FROM publications WHERE kind = 'transaction' AND status = 'complete'
              ORDER BY created_at LIMIT 1) t`,
  )
  const from = (table: string) => `seed JOIN ${table} original ON original.slug = seed.original`
  await copy('publications', { slug: 'seed.slug', tx_hash: hash(`'tx' || seed.slug`) }, from('publications'))
  await copy('transactions', { slug: 'seed.slug', digest: hash('seed.slug') }, from('transactions'))
  await copy('attestations', { slug: 'seed.slug', entropy_hash: hash('seed.slug') }, from('attestations'))
  await copy(
    'entropy_samples',
    {
      witness_hash: hash('seed.slug'),
      value: hash(`'value' || seed.slug`),
      position: `'copy ' || seed.slug`,
      purpose: `'sign/copy/' || seed.slug`,
    },
    `seed JOIN attestations a ON a.slug = seed.original
          JOIN entropy_samples original ON original.witness_hash = a.entropy_hash`,
  )
  await database.query('DROP TABLE seed')
  await database.query('VACUUM ANALYZE') // autovacuum would do it some minutes later
}

/** Slugs of some copies, from all over the table. */
export async function someCopies(database: DataSource, count: number): Promise<string[]> {
  const rows = await database.query<{ slug: string }[]>(
    `SELECT slug FROM transactions WHERE slug LIKE 'copy-%' ORDER BY random() LIMIT ${count}`,
  )
  return rows.map(({ slug }) => slug)
}
