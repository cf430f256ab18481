import { EntitySchema } from 'typeorm'
import type { Hex, TxMetadata } from '@perigee/core'
import { integer, json, text, time, uuid } from './columns.js'

/** The pending transaction record: one signature over one transaction. Unique (wallet, digest) is the truth. */
export interface Transaction {
  id: string
  walletId: string
  digest: Hex
  chainId: number
  metadata: TxMetadata
  signature: Hex
  txHash: Hex
  /** Public name of the proof: random, never derived from the transaction. */
  slug: string
  createdAt: string
}

export const TransactionEntity = new EntitySchema<Transaction>({
  name: 'Transaction',
  tableName: 'transactions',
  columns: {
    id: uuid('id', { primary: true }),
    walletId: uuid('wallet_id'),
    digest: text('digest'),
    chainId: integer('chain_id'),
    metadata: json('metadata'),
    signature: text('signature'),
    txHash: text('tx_hash', { unique: true }),
    slug: text('slug', { unique: true }),
    createdAt: time('created_at'),
  },
  uniques: [{ columns: ['walletId', 'digest'] }],
})
