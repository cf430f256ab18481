import { EntitySchema } from 'typeorm'
import type { Facts } from '@perigee/core'
import { bytes, date, integer, json, nullable, primary, smallInteger, text } from './columns.js'

/** A security event. Public values and ids only: the people who read the log may not know the users. */
export interface AuditEvent {
  sequence: number
  at: Date
  kind: string
  /** Id of the user it is about; null when unknown. */
  subject: string | null
  facts: Facts
}

/** An event in its place in the chain. */
export interface ChainedAuditEvent extends AuditEvent {
  previousHash: Buffer
  hash: Buffer
}

export const AuditEventEntity = new EntitySchema<ChainedAuditEvent>({
  name: 'AuditEvent',
  tableName: 'audit_events',
  columns: {
    sequence: primary(integer),
    at: date,
    kind: text,
    subject: nullable(text),
    facts: json,
    previousHash: bytes,
    hash: bytes,
  },
})

/** The one row that says which event is the last. */
export interface AuditHead {
  id: 1
  sequence: number
  hash: Buffer
}

export const AuditHeadEntity = new EntitySchema<AuditHead>({
  name: 'AuditHead',
  tableName: 'audit_head',
  columns: { id: primary(smallInteger), sequence: integer, hash: bytes },
  checks: [{ name: 'audit_head_id_check', expression: 'id = 1' }],
})
