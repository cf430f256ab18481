import { EntitySchema } from 'typeorm'
import type { Hex } from '@perigee/core'
import { integer, text, time, uuid } from './columns.js'

/**
 * One nonce of one publishing key. It carries one or more proofs, the same in every transaction signed for it, and ends:
 * `confirmed`, `reverted`, or `lost` (another transaction took the nonce). When the chain takes that end back, it is open
 * again. A proof may leave it only when the nonce is spent for ever, and not by a publication: docs/publishing.md.
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
    id: uuid('id', { primary: true }),
    chainId: integer('chain_id'),
    sender: text('sender'),
    nonce: integer('nonce'),
    state: text('state'),
    calldata: text('calldata'),
    gas: text('gas'),
    createdAt: time('created_at'),
  },
  uniques: [{ columns: ['chainId', 'sender', 'nonce'] }],
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
    txHash: text('tx_hash', { primary: true }),
    slotId: uuid('slot_id'),
    raw: text('raw'),
    maxFeePerGas: text('max_fee_per_gas'),
    maxPriorityFeePerGas: text('max_priority_fee_per_gas'),
    createdAt: time('created_at'),
  },
})
