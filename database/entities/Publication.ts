import type { Hex, ProofStatus } from '@perigee/core'
import type { ReceiptKind } from '@perigee/core/receipt'
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
  unique,
  uuid,
  type RowOf,
} from './columns.js'
import { PublisherSlotEntity } from './Publisher.js'
import { WalletEntity } from './Wallet.js'

/** The intent to publish one receipt, and how far it has come. Clients read their proof from here. */
export const PublicationEntity = table({
  name: 'Publication',
  tableName: 'publications',
  columns: {
    /** Public name of the proof: random, never derived from what it is about. */
    slug: primary(text),
    /** What the receipt is about: the signature of a transaction or a message, or the creation of a wallet's key. */
    kind: of<ReceiptKind>(text),
    walletId: references(WalletEntity, uuid),
    /** Of the event: the transaction's, `birthHash` of the wallet, or a message's commitment. */
    txHash: unique(of<Hex>(text)),
    /** The transaction's; of a birth, the chain of its event; 0 for a message, which may hide its chain. */
    chainId: integer,
    status: of<ProofStatus>(text),
    /** When `status` was entered. */
    statusSince: defaultNow(time),
    cid: nullable(text),
    /** Canonical receipt, exactly the bytes behind `cid`; null until they are pinned. */
    receipt: nullable(text),
    /** The publisher's nonce slot that carries, or carried, the event. */
    slotId: nullable(references(PublisherSlotEntity, uuid)),
    onchainTxHash: nullable(of<Hex>(text)),
    onchainBlockNumber: nullable(integer),
    onchainBlockHash: nullable(of<Hex>(text)),
    errorCode: nullable(text),
    errorMessage: nullable(text),
    /** Set when an operator abandoned it, or none acted within 30 days; repairProofs skips it from then on. */
    abandonedAt: nullable(time),
    createdAt: defaultNow(time),
  },
  indices: [
    { name: 'publications_birth', columns: ['walletId'], unique: true, where: `kind = 'birth'` },
    // Few are unfinished, many are done: the repair workflow and the publisher look only at the unfinished.
    { name: 'publications_unfinished', columns: ['status', 'createdAt'], where: `status <> 'complete'` },
    { name: 'publications_slot', columns: ['slotId'] },
    { name: 'publications_cid', columns: ['cid'] },
    // What looks for reorgs must not read the whole table.
    { name: 'publications_block', columns: ['onchainBlockNumber'], where: `status = 'complete'` },
    { name: 'publications_since', columns: ['statusSince'], where: `status = 'complete'` },
    { name: 'publications_block_hash', columns: ['onchainBlockHash'] },
  ],
  checks: [
    { name: 'publications_kind_check', expression: `kind IN ('transaction', 'birth', 'message')` },
    {
      name: 'publications_status_check',
      expression: `status IN ('pending_pin', 'pending_onchain', 'complete', 'pin_failed', 'onchain_failed')`,
    },
    { name: 'publications_receipt', expression: '(cid IS NULL) = (receipt IS NULL)' },
    {
      name: 'publications_complete',
      expression: `status <> 'complete'
        OR (cid IS NOT NULL AND onchain_tx_hash IS NOT NULL AND onchain_block_number IS NOT NULL)`,
    },
    {
      name: 'publications_pinned',
      expression: `status NOT IN ('pending_onchain', 'onchain_failed') OR cid IS NOT NULL`,
    },
  ],
})
export type Publication = RowOf<typeof PublicationEntity>
