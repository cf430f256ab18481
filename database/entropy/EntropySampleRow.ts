import { EntitySchema } from 'typeorm'
import type { Hex, UnixSeconds } from '@perigee/core'
import type { EntropyProvenance, EntropySample } from '@perigee/core/entropy'
import { integer, json, text, time } from '../entities/columns.js'

/** One sample: waiting, serving its one operation, or retired after it went stale before that operation was done. */
export interface EntropySampleRow {
  witnessHash: Hex
  value: Hex
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
    witnessHash: text('witness_hash', { primary: true }),
    value: text('value', { unique: true }),
    position: text('position', { unique: true, nullable: true }),
    source: text('source'),
    provenance: text('provenance'),
    receivedAt: integer('received_at'),
    freshUntil: integer('fresh_until'),
    sample: json('sample'),
    purpose: text('purpose', { nullable: true }),
    takenAt: time('taken_at', { nullable: true }),
    retiredAt: time('retired_at', { nullable: true }),
  },
})
