import { EntitySchema } from 'typeorm'
import type { Hex, TxMetadata } from '@perigee/core'
import { defaultNow, integer, json, of, primary, text, time, unique, uuid, type Row } from './columns.js'
import { WalletEntity, type Wallet } from './Wallet.js'

const columns = {
  id: primary(uuid),
  walletId: uuid,
  digest: of<Hex>(text),
  chainId: integer,
  metadata: of<TxMetadata>(json),
  signature: of<Hex>(text),
  txHash: unique(of<Hex>(text)),
  /** Public name of the proof: random, never derived from the transaction. */
  slug: unique(text),
  createdAt: defaultNow(time),
}

/** The pending transaction record: one signature over one transaction. Unique (wallet, digest) is the truth. */
export type Transaction = Row<typeof columns>

export const TransactionEntity = new EntitySchema<Transaction & { wallet: Wallet }>({
  name: 'Transaction',
  tableName: 'transactions',
  columns,
  relations: { wallet: { type: 'many-to-one', target: WalletEntity, joinColumn: true } },
  uniques: [{ columns: ['walletId', 'digest'] }],
  checks: [{ name: 'transactions_digest_check', expression: `digest ~ '^0x[0-9a-f]{64}$'` }],
})
