import { EntitySchema } from 'typeorm'
import type { Hex, UnixSeconds } from '@perigee/core'
import type { EntropyProvenance, EntropySample } from '@perigee/core/entropy'
import { integer, json, nullable, primary, text, time, unique } from './columns.js'

/** One sample: waiting, serving its one operation, or retired after it went stale before that operation was done. */
export interface EntropySampleRow {
  witnessHash: Hex
  /** A value serves once, whichever source repeats it and in whatever form. */
  value: Hex
  /** Key and sequence, or beacon, sequence and index: one place in a source's stream holds one value. */
  position: string | null
  source: string
  provenance: EntropyProvenance
  receivedAt: UnixSeconds
  freshUntil: UnixSeconds
  sample: EntropySample
  /** `kind:id` of the operation it serves; null while it waits. */
  purpose: string | null
  takenAt: string | null
  retiredAt: string | null
}

export const EntropySampleEntity = new EntitySchema<EntropySampleRow>({
  name: 'EntropySample',
  tableName: 'entropy_samples',
  columns: {
    witnessHash: primary(text),
    value: unique(text),
    position: nullable(unique(text)),
    source: text,
    provenance: text,
    receivedAt: integer,
    freshUntil: integer,
    sample: json,
    purpose: nullable(text),
    takenAt: nullable(time),
    retiredAt: nullable(time),
  },
  indices: [
    { name: 'entropy_samples_purpose', columns: ['purpose'], unique: true, where: 'retired_at IS NULL' },
    { name: 'entropy_samples_waiting', columns: ['freshUntil'], where: 'purpose IS NULL' },
  ],
  checks: [
    { name: 'entropy_samples_value_check', expression: `value ~ '^0x[0-9a-f]{64}$'` },
    { name: 'entropy_samples_taken', expression: '(purpose IS NULL) = (taken_at IS NULL)' },
    { name: 'entropy_samples_retired', expression: 'retired_at IS NULL OR purpose IS NOT NULL' },
  ],
})
