import { EntitySchema } from 'typeorm'
import type { Hex, ProofStatus } from '@perigee/core'
import { integer, text, time, uuid } from './columns.js'

/** The intent to publish one receipt, and how far it has come. Clients read their proof from here. */
export interface Publication {
  slug: string
  status: ProofStatus
  /** When `status` was entered. */
  statusSince: string
  cid: string | null
  /** Canonical receipt, exactly the bytes behind `cid`; null until they are pinned. */
  receipt: string | null
  /** The publisher's nonce slot that carries, or carried, the event. */
  slotId: string | null
  onchainTxHash: Hex | null
  onchainBlockNumber: number | null
  onchainBlockHash: Hex | null
  errorCode: string | null
  errorMessage: string | null
  /** Set when an operator gave up on it; the sweep leaves it alone from then on. */
  abandonedAt: string | null
  createdAt: string
}

export const PublicationEntity = new EntitySchema<Publication>({
  name: 'Publication',
  tableName: 'publications',
  columns: {
    slug: text('slug', { primary: true }),
    status: text('status'),
    statusSince: time('status_since'),
    cid: text('cid', { nullable: true }),
    receipt: text('receipt', { nullable: true }),
    slotId: uuid('slot_id', { nullable: true }),
    onchainTxHash: text('onchain_tx_hash', { nullable: true }),
    onchainBlockNumber: integer('onchain_block_number', { nullable: true }),
    onchainBlockHash: text('onchain_block_hash', { nullable: true }),
    errorCode: text('error_code', { nullable: true }),
    errorMessage: text('error_message', { nullable: true }),
    abandonedAt: time('abandoned_at', { nullable: true }),
    createdAt: time('created_at'),
  },
})
