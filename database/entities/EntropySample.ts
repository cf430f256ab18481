import type { Hex } from '@perigee/core'
import type { EntropyProvenance, EntropySample } from '@perigee/core/entropy'
import { bytes, integer, json, nullable, of, primary, table, text, time, unique } from './columns.js'

/** Samples: waiting, serving their one operation, or retired after they went stale before that operation was done. */
export const EntropySampleEntity = table({
  name: 'EntropySample',
  tableName: 'entropy_samples',
  columns: {
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
  },
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

/** The 32 bytes of samples that served and were deleted since: no source may give them again. */
export const UsedEntropyEntity = table({
  name: 'UsedEntropy',
  tableName: 'used_entropy',
  columns: { value: primary(bytes) },
})
