import { Any, IsNull, LessThan, type DataSource, type EntityManager } from 'typeorm'
import type { Hex, UnixSeconds } from '@perigee/core'
import { entropyWitnessHash, type EntropySample } from '@perigee/core/entropy'
import { EntropySampleEntity, UsedEntropyEntity } from '../entities/EntropySample.js'
import { EntropyStreamEntity } from '../entities/EntropySource.js'
import { insertNew } from '../insertNew.js'

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
    const positions = new Set(batch.map(({ sample }) => positionOf(sample) ?? sample.value))
    if (positions.size < batch.length || (await wereGiven(manager, values))) return 'repeated'
    for (const [stream, sequences] of sequencesByStream(batch)) {
      const range = [stream, minimum(sequences).toString(), maximum(sequences).toString()]
      const advanced = await manager.query<unknown[]>(advanceStreamSql, range)
      if (advanced.length === 0) return 'rolled-back'
    }
    const rows = batch.map(({ sample, freshUntil }) => ({
      witnessHash: entropyWitnessHash(sample),
      value: sample.value,
      position: positionOf(sample),
      source: sample.source,
      provenance: sample.provenance,
      receivedAt: sample.receivedAt,
      freshUntil,
      sample,
    }))
    const stored = await insertNew(manager, EntropySampleEntity, rows)
    // Fewer only when another worker stored the same at this moment, or a position came back with another value.
    return stored === batch.length ? 'stored' : 'repeated'
  })
}

/** Looks at the samples first: one that retention deletes meanwhile is among the used values by then. */
async function wereGiven(manager: EntityManager, values: readonly Hex[]): Promise<boolean> {
  if (await manager.existsBy(EntropySampleEntity, { value: Any(values) })) return true
  const bytes = values.map((value) => Buffer.from(value.slice(2), 'hex'))
  return manager.existsBy(UsedEntropyEntity, { value: Any(bytes) })
}

// SQL: an upsert that refuses to go back, and returns whether it went on.
const advanceStreamSql = `
  INSERT INTO entropy_streams AS s (stream, high_water) VALUES ($1, $3)
  ON CONFLICT (stream) DO UPDATE SET high_water = greatest(s.high_water, $3) WHERE s.high_water <= $2
  RETURNING stream`

/** The highest sequence a stream ever gave, or null. Streams are key ids and beacon names. */
export async function streamHighWater(database: DataSource, stream: string): Promise<bigint | null> {
  return (await database.getRepository(EntropyStreamEntity).findOneBy({ stream }))?.highWater ?? null
}

/** Deletes samples that expired unused before `before`. Those that served are for retention. */
export async function pruneExpiredSamples(database: DataSource, before: UnixSeconds): Promise<void> {
  await database.getRepository(EntropySampleEntity).delete({ purpose: IsNull(), freshUntil: LessThan(before) })
}

/** Drops every sample that waits, fresh ones too; returns how many. Those in use stay. */
export async function dropWaitingSamples(database: DataSource): Promise<number> {
  const { affected } = await database.getRepository(EntropySampleEntity).delete({ purpose: IsNull() })
  return affected ?? 0
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
