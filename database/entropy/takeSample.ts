import type { DataSource } from 'typeorm'
import type { UnixSeconds } from '@perigee/core'
import type { EntropyProvenance, EntropySample } from '@perigee/core/entropy'
import { prepared } from '../prepared.js'

export interface TakeFilter {
  /** A sample must be fresh at least until here. */
  freshAt: UnixSeconds
  sources: readonly string[]
  levels: readonly EntropyProvenance[]
}

interface Row {
  sample: EntropySample
  fresh_until: string
}

const uniqueViolation = '23505'

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
  SELECT sample, fresh_until, false AS taken FROM held
  UNION ALL
  SELECT sample, fresh_until, set_config('synchronous_commit', 'off', true) IS NOT NULL FROM taken`
// Not waiting for the disk is safe here, and saves most of the time: the log is written in order, so a signature whose
// record is on disk has its take on disk. A crash of Postgres can only forget a take whose signature was never recorded
// nor released; the enclave refuses that sample if it comes again, and it is then retired.

/**
 * Gives the purpose its sample in one statement: the one it already holds, or the waiting one that expires first.
 * Null when none is waiting. A held sample that is stale (or no longer good enough) is retired, for ever, and replaced.
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
    if (good && Number(row.fresh_until) >= filter.freshAt) return sample
    await retireSample(database, purpose, sample)
  }
  return null
}

/** Takes a sample away from its purpose for ever: the purpose gets another next time, and nobody gets this one. */
export async function retireSample(database: DataSource, purpose: string, sample: EntropySample): Promise<void> {
  await database.query(
    `UPDATE entropy_samples SET retired_at = now() WHERE purpose = $1 AND retired_at IS NULL AND value = $2`,
    [purpose, sample.value],
  )
}

async function tryTake(database: DataSource, purpose: string, filter: TakeFilter): Promise<Row | 'raced' | null> {
  try {
    const values = [purpose, filter.freshAt, filter.sources, filter.levels]
    const [row] = await prepared<Row>(database, 'take_entropy_sample', takeSql, values)
    return row ?? null
  } catch (error) {
    // Another worker took a sample for the same purpose at the same moment: the next round finds it held.
    if ((error as { code?: unknown }).code === uniqueViolation) return 'raced'
    throw error
  }
}
