import { EntitySchema } from 'typeorm'
import type { Hex, UnixSeconds } from '@perigee/core'
import type { SignedStatement } from '@perigee/core/authorisation'
import type { RuntimeEvent } from '@perigee/core/enclave'
import type { AttestationReceiptV1 } from '@perigee/core/receipt'
import { BundleEntity } from './Bundle.js'
import { integer, json, primary, smallInteger, text, time, uuid } from './columns.js'
import { WalletEntity } from './Wallet.js'

/** Evidence that a wallet's key was resealed: its quote binds the sealed key before and after. */
export interface Reseal {
  walletId: string
  /** Of the sealing key. */
  version: number
  sealedKeyHash: Hex
  nextSealedKeyHash: Hex
  publicKey: Hex
  platform: string
  quote: Hex
  runtimeEvents: RuntimeEvent[]
  nonce: Hex
  coordinator: AttestationReceiptV1['coordinator']
  statement: SignedStatement
  collateralCid: string
  tcbStatus: string
  resealedAt: UnixSeconds
  createdAt: string
}

export const ResealEntity = new EntitySchema<Reseal>({
  name: 'Reseal',
  tableName: 'reseals',
  columns: {
    walletId: { ...primary(uuid), foreignKey: { target: WalletEntity } },
    version: primary(smallInteger),
    sealedKeyHash: text,
    nextSealedKeyHash: text,
    publicKey: text,
    platform: text,
    quote: text,
    runtimeEvents: json,
    nonce: text,
    coordinator: json,
    statement: json,
    collateralCid: { ...text, foreignKey: { target: BundleEntity } },
    tcbStatus: text,
    resealedAt: integer,
    createdAt: time,
  },
})
