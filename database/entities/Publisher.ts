import { EntitySchema } from 'typeorm'
import type { Hex } from '@perigee/core'
import { defaultNow, integer, primary, text, time, uuid } from './columns.js'

/**
 * One nonce of one publishing key. It carries one or more proofs, the same in every transaction signed for it, and ends:
 * `confirmed`, `reverted`, or `lost` (another transaction took the nonce). When the chain takes that end back, it is open
 * again. A proof may leave it only when the nonce is spent permanently, and not by a publication: docs/publishing.md.
 */
export interface PublisherSlot {
  id: string
  chainId: number
  /** Lower case. */
  sender: Hex
  nonce: number
  state: 'open' | 'confirmed' | 'reverted' | 'lost'
  calldata: Hex
  gas: string
  createdAt: string
}

export const PublisherSlotEntity = new EntitySchema<PublisherSlot>({
  name: 'PublisherSlot',
  tableName: 'publisher_slots',
  columns: {
    id: primary(uuid),
    chainId: integer,
    sender: text,
    nonce: integer,
    state: text,
    calldata: text,
    gas: text,
    createdAt: defaultNow(time),
  },
  uniques: [{ columns: ['chainId', 'sender', 'nonce'] }],
  checks: [
    { name: 'publisher_slots_sender_check', expression: 'sender = lower(sender)' },
    { name: 'publisher_slots_state_check', expression: `state IN ('open', 'confirmed', 'reverted', 'lost')` },
  ],
})

/** One signed transaction for a slot, stored before it is broadcast. Fee bumps add rows; one of them is mined. */
export interface PublisherTransaction {
  txHash: Hex
  slotId: string
  raw: Hex
  maxFeePerGas: string
  maxPriorityFeePerGas: string
  createdAt: string
}

export const PublisherTransactionEntity = new EntitySchema<PublisherTransaction>({
  name: 'PublisherTransaction',
  tableName: 'publisher_transactions',
  columns: {
    txHash: primary(text),
    slotId: { ...uuid, foreignKey: { target: PublisherSlotEntity } },
    raw: text,
    maxFeePerGas: text,
    maxPriorityFeePerGas: text,
    createdAt: defaultNow(time),
  },
  indices: [{ name: 'publisher_transactions_slot', columns: ['slotId'] }],
})
