import { figure, median, type Figure } from '../Figure.js'
import { timeInTurn } from './latency.js'
import type { BenchService, Person } from './openService.js'

const sizes = [1_000, 10_000, 100_000]
const most = 1.1

/**
 * Latency with ever more proofs in the database, against the latency with the first thousand. Each is divided by that of
 * the workflow that does nothing, timed in turn with it, so that a machine that has become slower meanwhile does not
 * look like growth. Temporal keeps no more workflows than before: it forgets the ended ones by itself.
 */
export async function growth(service: BenchService, person: Person): Promise<Figure[]> {
  const measured = new Map<number, { sign: number[]; proof: number[] }>()
  let existing = 0
  for (const size of sizes) {
    await addProofs(service, size - existing)
    existing = size
    const rounds = { sign: [] as number[], proof: [] as number[] }
    await timeInTurn(service, person, 5)
    for (let round = 0; round < 3; round++) {
      const { noop, sign, proof } = await timeInTurn(service, person, 20)
      rounds.sign.push(median(sign) / median(noop))
      rounds.proof.push(median(proof) / median(noop))
    }
    measured.set(size, rounds)
  }
  const kinds = { sign: 'POST /sign/digest', proof: 'GET /proof/:slug' } as const
  return (['sign', 'proof'] as const).flatMap((kind) =>
    sizes.map((size, index) => {
      const at = (count: number) => measured.get(count)?.[kind] ?? []
      const first = sizes[0] as number
      const held = { against: { name: `with ${first} proofs`, rounds: at(first) }, atMost: most }
      return figure(`${kinds[kind]} with ${size} proofs`, 'x no-op', at(size), index > 0 ? held : {})
    }),
  )
}

/** Copies of one finished proof, each with names of its own, as large as the real one. */
async function addProofs({ database }: BenchService, count: number): Promise<void> {
  const hash = (column: string) => `'0x' || encode(sha256((${column} || seed.n)::bytea), 'hex')`
  const copy = async (table: string, changed: Record<string, string>, from: string) => {
    const columns = (
      await database.query<{ column_name: string }[]>(
        `SELECT column_name FROM information_schema.columns WHERE table_name = $1 AND table_schema = current_schema()`,
        [table],
      )
    ).map((row) => row.column_name)
    const values = columns.map((name) => changed[name] ?? `original.${name}`)
    await database.query(`INSERT INTO ${table} (${columns.join(', ')}) SELECT ${values.join(', ')} FROM ${from}`)
  }
  await database.query(`DROP TABLE IF EXISTS seed`)
  await database.query(
    `CREATE TABLE seed AS SELECT n, gen_random_uuid() AS id, 'copy-' || gen_random_uuid() AS slug, t.id AS original
       FROM generate_series(1, ${count}) n,
            (SELECT t.id FROM transactions t JOIN publications p USING (slug) WHERE p.status = 'complete'
              ORDER BY t.created_at LIMIT 1) t`,
  )
  const names = { id: 'seed.id', slug: 'seed.slug', digest: hash('seed.slug'), tx_hash: hash(`'tx' || seed.slug`) }
  await copy('transactions', names, 'seed JOIN transactions original ON original.id = seed.original')
  const evidence = { transaction_id: 'seed.id', entropy_hash: hash('seed.slug') }
  await copy('attestations', evidence, 'seed JOIN attestations original ON original.transaction_id = seed.original')
  await copy(
    'publications',
    { slug: 'seed.slug' },
    'seed JOIN transactions t ON t.id = seed.original JOIN publications original ON original.slug = t.slug',
  )
  await copy(
    'entropy_samples',
    {
      ...{ witness_hash: hash('seed.slug'), value: hash(`'value' || seed.slug`), position: `'copy ' || seed.slug` },
      purpose: `'sign/copy/' || seed.slug`,
    },
    `seed JOIN attestations a ON a.transaction_id = seed.original
          JOIN entropy_samples original ON original.witness_hash = a.entropy_hash`,
  )
  await database.query('ANALYZE') // as autovacuum does by itself, some minutes later
}
