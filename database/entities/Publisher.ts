import type { Hex } from '@perigee/core'
import {
  defaultNow,
  integer,
  nullable,
  of,
  primary,
  references,
  table,
  text,
  time,
  uuid,
  type RowOf,
} from './columns.js'

/**
 * One nonce of one publishing key. It carries one or more proofs, the same in every transaction signed for it, and ends:
 * `confirmed`, `reverted`, or `lost` (an empty transfer, or a transaction that is not ours, took the nonce). When the chain takes
 * that end back, it is open again. A proof may leave it only when the nonce is spent permanently, and not by a publication:
 * docs/publishing.md.
 */
export const PublisherSlotEntity = table({
  name: 'PublisherSlot',
  tableName: 'publisher_slots',
  columns: {
    id: primary(uuid),
    chainId: integer,
    /** Lower case. */
    sender: of<Hex>(text),
    nonce: integer,
    state: of<'open' | 'confirmed' | 'reverted' | 'lost'>(text),
    /** `0x` in a slot that carries nothing, and in one that ended 90 days ago. */
    calldata: of<Hex>(text),
    gas: text,
    /** What the mined transaction cost, in wei; null until it is mined, and when somebody else's transaction took the nonce. */
    costWei: nullable(text),
    createdAt: defaultNow(time),
  },
  uniques: [{ columns: ['chainId', 'sender', 'nonce'] }],
  // For retention.
  indices: [{ name: 'publisher_slots_calls', columns: ['createdAt'], where: `calldata <> '0x'` }],
  checks: [
    { name: 'publisher_slots_sender_check', expression: 'sender = lower(sender)' },
    { name: 'publisher_slots_state_check', expression: `state IN ('open', 'confirmed', 'reverted', 'lost')` },
  ],
})
export type PublisherSlot = RowOf<typeof PublisherSlotEntity>
/** As a worker makes it: its time is the database's, because clocks of workers differ and ages are compared. */
export type NewSlot = Omit<PublisherSlot, 'createdAt'>

/** Signed transactions for a slot, stored before they are broadcast. Fee bumps add rows; one of them is mined. */
export const PublisherTransactionEntity = table({
  name: 'PublisherTransaction',
  tableName: 'publisher_transactions',
  columns: {
    txHash: primary(of<Hex>(text)),
    slotId: references(PublisherSlotEntity, uuid),
    /** `0x` once its slot ended 90 days ago. */
    raw: of<Hex>(text),
    maxFeePerGas: text,
    maxPriorityFeePerGas: text,
    createdAt: defaultNow(time),
  },
  indices: [
    { name: 'publisher_transactions_slot', columns: ['slotId'] },
    { name: 'publisher_transactions_raw', columns: ['createdAt'], where: `raw <> '0x'` }, // for retention
  ],
})
export type PublisherTransaction = RowOf<typeof PublisherTransactionEntity>
export type NewTransaction = Omit<PublisherTransaction, 'createdAt'>
