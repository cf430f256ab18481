import { EntitySchema } from 'typeorm'
import type { Hex, UnixSeconds } from '@perigee/core'
import type { EntropySample } from '@perigee/core/entropy'
import { flag, integer, json, text, time, uuid } from './columns.js'

/** A person's wallet: the sealed key, which only the enclave can open, and the evidence of how the key was made. */
export interface Wallet {
  id: string
  userId: string
  keyId: string
  /** Lower case. */
  address: Hex
  publicKey: Hex
  sealedKey: Hex
  entropy: EntropySample
  entropyHash: Hex
  quote: Hex
  nonce: Hex
  coordinatorReportHash: Hex
  collateralCid: string
  tcbStatus: string
  quoteVerified: boolean
  keyCreatedAt: UnixSeconds
  createdAt: string
}

export const WalletEntity = new EntitySchema<Wallet>({
  name: 'Wallet',
  tableName: 'wallets',
  columns: {
    id: uuid('id', { primary: true }),
    userId: uuid('user_id', { unique: true }),
    keyId: text('key_id', { unique: true }),
    address: text('address', { unique: true }),
    publicKey: text('public_key'),
    sealedKey: text('sealed_key'),
    entropy: json('entropy'),
    entropyHash: text('entropy_hash', { unique: true }),
    quote: text('quote'),
    nonce: text('nonce'),
    coordinatorReportHash: text('coordinator_report_hash'),
    collateralCid: text('collateral_cid'),
    tcbStatus: text('tcb_status'),
    quoteVerified: flag('quote_verified'),
    keyCreatedAt: integer('key_created_at'),
    createdAt: time('created_at'),
  },
})
