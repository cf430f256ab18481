import { EntitySchema } from 'typeorm'
import { date, json, nullable, primary, sequence, smallInteger, text } from './columns.js'

/** The highest sequence that a key or a beacon ever gave. */
export interface EntropyStream {
  stream: string
  highWater: bigint
}

export const EntropyStreamEntity = new EntitySchema<EntropyStream>({
  name: 'EntropyStream',
  tableName: 'entropy_streams',
  columns: { stream: primary(text), highWater: sequence },
})

/** What was asked of a source, for all workers together. */
export interface EntropySource {
  source: string
  nextRequestAt: Date
  /** The UTC day that `daySamples` counts. */
  day: string
  daySamples: number
}

export const EntropySourceEntity = new EntitySchema<EntropySource>({
  name: 'EntropySource',
  tableName: 'entropy_sources',
  columns: { source: primary(text), nextRequestAt: date, day: { type: 'date' }, daySamples: smallInteger },
})

/** The one row that says which worker fetches, and what it last said about the supply. */
export interface EntropySupply {
  id: 1
  leader: string | null
  leaderUntil: Date
  snapshot: Record<string, unknown> | null
  updatedAt: Date | null
}

export const EntropySupplyEntity = new EntitySchema<EntropySupply>({
  name: 'EntropySupply',
  tableName: 'entropy_supply',
  columns: {
    id: primary(smallInteger),
    leader: nullable(text),
    leaderUntil: { ...date, default: () => `'-infinity'` },
    snapshot: nullable(json),
    updatedAt: nullable(date),
  },
  checks: [{ name: 'entropy_supply_id_check', expression: 'id = 1' }],
})
