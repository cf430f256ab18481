import { EntitySchema } from 'typeorm'
import { date, day, json, nullable, of, primary, sequence, smallInteger, text, type Row } from './columns.js'

const streamColumns = { stream: primary(text), highWater: sequence }

/** The highest sequence that a key or a beacon ever gave. */
export const EntropyStreamEntity = new EntitySchema<Row<typeof streamColumns>>({
  name: 'EntropyStream',
  tableName: 'entropy_streams',
  columns: streamColumns,
})

/** `daySamples` counts the samples of the UTC day `day`. */
const sourceColumns = { source: primary(text), nextRequestAt: date, day, daySamples: smallInteger }

/** What was asked of a source, for all workers together. */
export const EntropySourceEntity = new EntitySchema<Row<typeof sourceColumns>>({
  name: 'EntropySource',
  tableName: 'entropy_sources',
  columns: sourceColumns,
})

const supplyColumns = {
  id: primary(of<1>(smallInteger)),
  leader: nullable(text),
  leaderUntil: { ...date, default: () => `'-infinity'` },
  snapshot: nullable(of<Record<string, unknown>>(json)),
  updatedAt: nullable(date),
}

/** The one row that says which worker fetches, and what it last said about the supply. */
export const EntropySupplyEntity = new EntitySchema<Row<typeof supplyColumns>>({
  name: 'EntropySupply',
  tableName: 'entropy_supply',
  columns: supplyColumns,
  checks: [{ name: 'entropy_supply_id_check', expression: 'id = 1' }],
})
