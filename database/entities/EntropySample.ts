import { EntitySchema } from 'typeorm'
import type { Hex } from '@perigee/core'
import type { EntropyProvenance, EntropySample } from '@perigee/core/entropy'
import { bytes, integer, json, nullable, of, primary, text, time, unique, type Row } from './columns.js'

const columns = {
  witnessHash: primary(of<Hex>(text)),
  /** A value serves once, whichever source repeats it and in whatever form. */
  value: unique(of<Hex>(text)),
  /** Key and sequence, or beacon, sequence and index: one place in a source's stream holds one value. */
  position: nullable(unique(text)),
  source: text,
  provenance: of<EntropyProvenance>(text),
  receivedAt: integer,
  freshUntil: integer,
  sample: of<EntropySample>(json),
  /** `kind:id` of the operation it serves; null while it waits. */
  purpose: nullable(text),
  takenAt: nullable(time),
  retiredAt: nullable(time),
}

/** One sample: waiting, serving its one operation, or retired after it went stale before that operation was done. */
export const EntropySampleEntity = new EntitySchema<Row<typeof columns>>({
  name: 'EntropySample',
  tableName: 'entropy_samples',
  columns,
  indices: [
    { name: 'entropy_samples_purpose', columns: ['purpose'], unique: true, where: 'retired_at IS NULL' },
    { name: 'entropy_samples_waiting', columns: ['freshUntil'], where: 'purpose IS NULL' },
    // For retention.
    { name: 'entropy_samples_taken_at', columns: ['takenAt'], where: 'taken_at IS NOT NULL' },
  ],
  checks: [
    { name: 'entropy_samples_value_check', expression: `value ~ '^0x[0-9a-f]{64}$'` },
    { name: 'entropy_samples_taken', expression: '(purpose IS NULL) = (taken_at IS NULL)' },
    { name: 'entropy_samples_retired', expression: 'retired_at IS NULL OR purpose IS NOT NULL' },
  ],
})

const usedColumns = { value: primary(bytes) }

/** The 32 bytes of a sample that served and was deleted since: no source may give it again. */
export const UsedEntropyEntity = new EntitySchema<Row<typeof usedColumns>>({
  name: 'UsedEntropy',
  tableName: 'used_entropy',
  columns: usedColumns,
})
