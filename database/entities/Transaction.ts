import { EntitySchema } from 'typeorm'
import type { Hex, TxMetadata } from '@perigee/core'
import { defaultNow, integer, json, primary, text, time, unique, uuid } from './columns.js'
import { WalletEntity, type Wallet } from './Wallet.js'

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

export const TransactionEntity = new EntitySchema<Transaction & { wallet: Wallet }>({
  name: 'Transaction',
  tableName: 'transactions',
  columns: {
    id: primary(uuid),
    walletId: uuid,
    digest: text,
    chainId: integer,
    metadata: json,
    signature: text,
    txHash: unique(text),
    slug: unique(text),
    createdAt: defaultNow(time),
  },
  relations: { wallet: { type: 'many-to-one', target: WalletEntity, joinColumn: true } },
  uniques: [{ columns: ['walletId', 'digest'] }],
  checks: [{ name: 'transactions_digest_check', expression: `digest ~ '^0x[0-9a-f]{64}$'` }],
})
