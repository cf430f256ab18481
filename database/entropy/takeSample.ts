import { IsNull, type DataSource } from 'typeorm'
import type { UnixSeconds } from '@perigee/core'
import type { EntropyProvenance, EntropySample } from '@perigee/core/entropy'
import { EntropySampleEntity } from '../entities/EntropySample.js'

export interface TakeFilter {
  /** A sample must be fresh at least until here. */
  freshAt: UnixSeconds
  sources: readonly string[]
  levels: readonly EntropyProvenance[]
}

interface Row {
  sample: EntropySample
  freshUntil: UnixSeconds
}

const uniqueViolation = '23505'

// SQL: a row lock that skips locked rows, in one round trip.
const takeSql = `
  WITH held AS (
    SELECT sample, fresh_until FROM entropy_samples WHERE purpose = $1 AND retired_at IS NULL
  ), pick AS (
    SELECT witness_hash FROM entropy_samples
     WHERE purpose IS NULL AND fresh_until >= $2 AND source = ANY($3) AND provenance = ANY($4)
       AND NOT EXISTS (SELECT FROM held)
     ORDER BY fresh_until LIMIT 1 FOR UPDATE SKIP LOCKED
  ), taken AS (
    UPDATE entropy_samples s SET purpose = $1, taken_at = now() FROM pick
     WHERE s.witness_hash = pick.witness_hash AND s.purpose IS NULL
    RETURNING s.sample, s.fresh_until
  )
  SELECT sample, fresh_until AS "freshUntil", false AS taken FROM held
  UNION ALL
  SELECT sample, fresh_until, set_config('synchronous_commit', 'off', true) IS NOT NULL FROM taken`
// Not waiting for the disk saves most of the time and is safe: Postgres writes its log in order, so a signature whose
// record is on disk has its take on disk. A crash can only forget a take whose signature was neither recorded nor
// released; the enclave refuses that sample if it comes again, and it is then retired.

/**
 * Gives the purpose its sample in one statement: the one it already holds, or the waiting one that expires first.
 * Null when none is waiting. A held sample that is stale (or no longer good enough) is retired permanently and replaced.
 */
export async function takeSample(
  database: DataSource,
  purpose: string,
  filter: TakeFilter,
): Promise<EntropySample | null> {
  for (let attempt = 0; attempt < 8; attempt++) {
    const row = await tryTake(database, purpose, filter)
    if (row === null) return null
    if (row === 'raced') continue
    const { sample } = row
    const good = filter.sources.includes(sample.source) && filter.levels.includes(sample.provenance)
    if (good && row.freshUntil >= filter.freshAt) return sample
    await retireSample(database, purpose, sample)
  }
  return null
}

/** Takes a sample away from its purpose permanently: the purpose gets another one next time, and nothing gets this one. */
export async function retireSample(database: DataSource, purpose: string, sample: EntropySample): Promise<void> {
  const held = { purpose, retiredAt: IsNull(), value: sample.value }
  await database.getRepository(EntropySampleEntity).update(held, { retiredAt: () => 'now()' })
}

async function tryTake(database: DataSource, purpose: string, filter: TakeFilter): Promise<Row | 'raced' | null> {
  try {
    const values = [purpose, filter.freshAt, filter.sources, filter.levels]
    const [row] = await database.query<Row[]>(takeSql, values)
    return row ?? null
  } catch (error) {
    // Another worker took a sample for the same purpose at the same moment: the next round finds it held.
    if ((error as { code?: unknown }).code === uniqueViolation) return 'raced'
    throw error
  }
}
