import type { DataSource } from 'typeorm'
import { entropyWitnessHash, type EntropySample, type UnixSeconds } from '@perigee/core'

export interface NewSample {
  sample: EntropySample
  freshUntil: UnixSeconds
}

/** `stored`: how many were new. `rolledBack`: the batch went back behind what this stream already gave; nothing was stored. */
export type StoreOutcome = { stored: number; rolledBack: boolean }

/** Puts verified samples of one batch into the supply. A value or a position seen before is left out. */
export async function storeSamples(database: DataSource, batch: readonly NewSample[]): Promise<StoreOutcome> {
  if (batch.length === 0) return { stored: 0, rolledBack: false }
  return database.transaction(async (manager) => {
    for (const [stream, sequences] of sequencesByStream(batch)) {
      const advanced: unknown[] = await manager.query(
        `INSERT INTO entropy_streams AS s (stream, high_water) VALUES ($1, $3)
         ON CONFLICT (stream) DO UPDATE SET high_water = greatest(s.high_water, $3) WHERE s.high_water <= $2
         RETURNING stream`,
        [stream, minimum(sequences).toString(), maximum(sequences).toString()],
      )
      if (advanced.length === 0) return { stored: 0, rolledBack: true }
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
    return { stored: stored.length, rolledBack: false }
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
