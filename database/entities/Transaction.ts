import { EntitySchema } from 'typeorm'
import type { Hex, TxMetadata } from '@perigee/core'
import { json, of, primary, text, uuid, type Row } from './columns.js'
import { PublicationEntity, type Publication } from './Publication.js'
import { WalletEntity } from './Wallet.js'

const columns = {
  slug: primary(text),
  walletId: { ...uuid, foreignKey: { target: WalletEntity } },
  digest: of<Hex>(text),
  metadata: of<TxMetadata>(json),
  signature: of<Hex>(text),
}

/** The pending transaction record: one signature over one transaction. Unique (wallet, digest) is the truth. */
export type Transaction = Row<typeof columns>

export const TransactionEntity = new EntitySchema<Transaction & { publication: Publication }>({
  name: 'Transaction',
  tableName: 'transactions',
  columns,
  relations: {
    publication: {
      type: 'many-to-one',
      target: PublicationEntity,
      joinColumn: { name: 'slug', referencedColumnName: 'slug' },
    },
  },
  uniques: [{ columns: ['walletId', 'digest'] }],
  checks: [{ name: 'transactions_digest_check', expression: `digest ~ '^0x[0-9a-f]{64}$'` }],
})
