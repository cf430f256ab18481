import type { DataSource } from 'typeorm'
import type { UnixSeconds } from '@perigee/core'
import { entropyWitnessHash, type EntropySample } from '@perigee/core/entropy'

export interface NewSample {
  sample: EntropySample
  freshUntil: UnixSeconds
}

/** `repeated`: a value or a position was given before. `rolled-back`: the batch is behind what its stream already gave. */
export type StoreOutcome = 'stored' | 'repeated' | 'rolled-back'

/** Puts verified samples of one batch into the supply: all of them, or none when the source contradicts its own past. */
export async function storeSamples(database: DataSource, batch: readonly NewSample[]): Promise<StoreOutcome> {
  if (batch.length === 0) return 'stored'
  return database.transaction(async (manager) => {
    const values = batch.map(({ sample }) => sample.value)
    const known: unknown[] = await manager.query(`SELECT FROM entropy_samples WHERE value = ANY($1)`, [values])
    if (
      known.length > 0 ||
      new Set(batch.map(({ sample }) => positionOf(sample) ?? sample.value)).size < batch.length
    ) {
      return 'repeated'
    }
    for (const [stream, sequences] of sequencesByStream(batch)) {
      const advanced: unknown[] = await manager.query(
        `INSERT INTO entropy_streams AS s (stream, high_water) VALUES ($1, $3)
         ON CONFLICT (stream) DO UPDATE SET high_water = greatest(s.high_water, $3) WHERE s.high_water <= $2
         RETURNING stream`,
        [stream, minimum(sequences).toString(), maximum(sequences).toString()],
      )
      if (advanced.length === 0) return 'rolled-back'
    }
    const rows = batch.map(({ sample, freshUntil }) => ({
      witness_hash: entropyWitnessHash(sample),
      value: sample.value,
      position: positionOf(sample),
      source: sample.source,
      provenance: sample.provenance,
      received_at: sample.receivedAt,
      fresh_until: freshUntil,
      sample,
    }))
    const stored: unknown[] = await manager.query(
      `INSERT INTO entropy_samples (witness_hash, value, position, source, provenance, received_at, fresh_until, sample)
       SELECT * FROM jsonb_to_recordset($1::jsonb) AS r(witness_hash text, value text, position text, source text,
         provenance text, received_at bigint, fresh_until bigint, sample jsonb)
       ON CONFLICT DO NOTHING RETURNING witness_hash`,
      [JSON.stringify(rows)],
    )
    // Fewer only when another worker stored the same at this moment, or a position came back with another value.
    return stored.length === batch.length ? 'stored' : 'repeated'
  })
}

/** The highest sequence a stream ever gave, or null. Streams are key ids and beacon names. */
export async function streamHighWater(database: DataSource, stream: string): Promise<bigint | null> {
  const rows: { high_water: string }[] = await database.query(
    `SELECT high_water FROM entropy_streams WHERE stream = $1`,
    [stream],
  )
  return rows[0] ? BigInt(rows[0].high_water) : null
}

/** Forgets samples that expired unused before `before`. A sample that served is kept for ever. */
export async function pruneExpiredSamples(database: DataSource, before: UnixSeconds): Promise<void> {
  await database.query(`DELETE FROM entropy_samples WHERE purpose IS NULL AND fresh_until < $1`, [before])
}

function streamOf(sample: EntropySample): string | null {
  return sample.beacon?.name ?? sample.signature?.keyId ?? null
}

function positionOf(sample: EntropySample): string | null {
  const stream = streamOf(sample)
  if (stream === null || sample.sequence === null) return null
  return `${stream}/${sample.sequence}/${sample.beacon?.index ?? 0}`
}

function sequencesByStream(batch: readonly NewSample[]): Map<string, bigint[]> {
  const streams = new Map<string, bigint[]>()
  for (const { sample } of batch) {
    const stream = streamOf(sample)
    if (stream === null || sample.sequence === null) continue
    streams.set(stream, [...(streams.get(stream) ?? []), BigInt(sample.sequence)])
  }
  return streams
}

const minimum = (values: readonly bigint[]): bigint => values.reduce((a, b) => (a < b ? a : b))
const maximum = (values: readonly bigint[]): bigint => values.reduce((a, b) => (a > b ? a : b))
