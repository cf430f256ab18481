import type { Hex, TxMetadata } from '@perigee/core'
import { json, of, primary, references, table, text, uuid, type RowOf } from './columns.js'
import { PublicationEntity } from './Publication.js'
import { WalletEntity } from './Wallet.js'

/** The pending transaction record: one signature over one transaction. Unique (wallet, digest) is the truth. */
export const TransactionEntity = table({
  name: 'Transaction',
  tableName: 'transactions',
  columns: {
    slug: primary(references(PublicationEntity, text)),
    walletId: references(WalletEntity, uuid),
    digest: of<Hex>(text),
    metadata: of<TxMetadata>(json),
    signature: of<Hex>(text),
  },
  uniques: [{ columns: ['walletId', 'digest'] }],
  checks: [{ name: 'transactions_digest_check', expression: `digest ~ '^0x[0-9a-f]{64}$'` }],
})
export type Transaction = RowOf<typeof TransactionEntity>
