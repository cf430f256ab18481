import type { Hex } from '@perigee/core'
import type { SignedStatement } from '@perigee/core/authorisation'
import type { RuntimeEvent } from '@perigee/core/enclave'
import type { CoordinatorPart } from '@perigee/core/receipt'
import { BundleEntity } from './Bundle.js'
import { integer, json, of, primary, references, smallInteger, table, text, time, uuid, type RowOf } from './columns.js'
import { WalletEntity } from './Wallet.js'

/** Evidence that a wallet's key was resealed: its quote binds the sealed key before and after. */
export const ResealEntity = table({
  name: 'Reseal',
  tableName: 'reseals',
  columns: {
    walletId: primary(references(WalletEntity, uuid)),
    /** Of the sealing key. */
    version: primary(smallInteger),
    sealedKeyHash: of<Hex>(text),
    nextSealedKeyHash: of<Hex>(text),
    publicKey: of<Hex>(text),
    platform: text,
    quote: of<Hex>(text),
    runtimeEvents: of<RuntimeEvent[]>(json),
    nonce: of<Hex>(text),
    coordinator: of<CoordinatorPart>(json),
    statement: of<SignedStatement>(json),
    collateralCid: references(BundleEntity, text),
    tcbStatus: text,
    resealedAt: integer,
    createdAt: time,
  },
})
export type Reseal = RowOf<typeof ResealEntity>
