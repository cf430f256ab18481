import { EntitySchema } from 'typeorm'
import type { Facts, Hex } from '@perigee/core'
import {
  bytes,
  date,
  integer,
  json,
  nullable,
  of,
  primary,
  smallInteger,
  text,
  time,
  uuid,
  type Row,
} from './columns.js'
import { PublisherSlotEntity } from './Publisher.js'

const eventColumns = {
  sequence: primary(integer),
  at: date,
  kind: text,
  /** Id of the user it is about; null when unknown. */
  subject: nullable(text),
  facts: of<Facts>(json),
  previousHash: bytes,
  hash: bytes,
}

/** An event in its place in the chain. */
export type ChainedAuditEvent = Row<typeof eventColumns>
/** A security event. Public values and ids only: the people who read the log may not know the users. */
export type AuditEvent = Omit<ChainedAuditEvent, 'previousHash' | 'hash'>

export const AuditEventEntity = new EntitySchema<ChainedAuditEvent>({
  name: 'AuditEvent',
  tableName: 'audit_events',
  columns: eventColumns,
})

const headColumns = {
  id: primary(of<1>(smallInteger)),
  sequence: integer,
  hash: bytes,
  /** Where the daily check found that the log is broken; null while it is whole, or when an operator accepted the fault. */
  brokenAt: nullable(integer),
}

/** The one row that says which event is the last. */
export type AuditHead = Row<typeof headColumns>

export const AuditHeadEntity = new EntitySchema<AuditHead>({
  name: 'AuditHead',
  tableName: 'audit_head',
  columns: headColumns,
  checks: [{ name: 'audit_head_id_check', expression: 'id = 1' }],
})

const anchorColumns = {
  sequence: primary(integer),
  hash: of<Hex>(text),
  /** When the head was read; the document on IPFS says the same. */
  at: time,
  cid: text,
  /** The publisher's nonce slot that carries, or carried, the event. */
  slotId: nullable({ ...uuid, foreignKey: { target: PublisherSlotEntity } }),
  onchainTxHash: nullable(of<Hex>(text)),
  onchainBlockNumber: nullable(integer),
  onchainBlockHash: nullable(of<Hex>(text)),
}

/** A head of the log that is published on IPFS and in the contract's log. Only the chain is evidence; this row is how it gets there. */
export type AuditLogAnchor = Row<typeof anchorColumns>

export const AuditAnchorEntity = new EntitySchema<AuditLogAnchor>({
  name: 'AuditAnchor',
  tableName: 'audit_anchors',
  columns: anchorColumns,
})
