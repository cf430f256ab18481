import { date, day, json, nullable, of, primary, sequence, smallInteger, table, text } from './columns.js'

/** The highest sequence that a key or a beacon ever gave. */
export const EntropyStreamEntity = table({
  name: 'EntropyStream',
  tableName: 'entropy_streams',
  columns: { stream: primary(text), highWater: sequence },
})

/** What was asked of a source, for all workers together. `daySamples` counts the samples of the UTC day `day`. */
export const EntropySourceEntity = table({
  name: 'EntropySource',
  tableName: 'entropy_sources',
  columns: { source: primary(text), nextRequestAt: date, day, daySamples: smallInteger },
})

/** The one row that says which worker fetches, and what it last said about the supply. */
export const EntropySupplyEntity = table({
  name: 'EntropySupply',
  tableName: 'entropy_supply',
  columns: {
    id: primary(of<1>(smallInteger)),
    leader: nullable(text),
    leaderUntil: { ...date, default: () => `'-infinity'` },
    snapshot: nullable(of<Record<string, unknown>>(json)),
    updatedAt: nullable(date),
  },
  checks: [{ name: 'entropy_supply_id_check', expression: 'id = 1' }],
})
