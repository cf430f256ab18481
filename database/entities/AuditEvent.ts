import type { Facts, Hex } from '@perigee/core'
import {
  bytes,
  date,
  integer,
  json,
  nullable,
  of,
  primary,
  references,
  smallInteger,
  table,
  text,
  time,
  uuid,
  type RowOf,
} from './columns.js'
import { PublisherSlotEntity } from './Publisher.js'

/** Security events, each in its place in the chain. Public values and ids only: the people who read the log may not know the users. */
export const AuditEventEntity = table({
  name: 'AuditEvent',
  tableName: 'audit_events',
  columns: {
    sequence: primary(integer),
    at: date,
    kind: text,
    /** Id of the user it is about; null when unknown. */
    subject: nullable(text),
    facts: of<Facts>(json),
    previousHash: bytes,
    hash: bytes,
  },
})
export type AuditEvent = RowOf<typeof AuditEventEntity>

/** The one row that says which event is the last. */
export const AuditHeadEntity = table({
  name: 'AuditHead',
  tableName: 'audit_head',
  columns: {
    id: primary(of<1>(smallInteger)),
    sequence: integer,
    hash: bytes,
    /** Where the daily check found that the log is broken; null while it is whole, or when an operator accepted the fault. */
    brokenAt: nullable(integer),
  },
  checks: [{ name: 'audit_head_id_check', expression: 'id = 1' }],
})

/** Heads of the log that are published on IPFS and in the contract's log. Only the chain is evidence; a row is how one gets there. */
export const AuditAnchorEntity = table({
  name: 'AuditAnchor',
  tableName: 'audit_anchors',
  columns: {
    sequence: primary(integer),
    hash: of<Hex>(text),
    /** When the head was read; the document on IPFS says the same. */
    at: time,
    cid: text,
    /** The publisher's nonce slot that carries, or carried, the event. */
    slotId: nullable(references(PublisherSlotEntity, uuid)),
    onchainTxHash: nullable(of<Hex>(text)),
    onchainBlockNumber: nullable(integer),
    onchainBlockHash: nullable(of<Hex>(text)),
  },
})
export type AuditLogAnchor = RowOf<typeof AuditAnchorEntity>
