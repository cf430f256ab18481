import { EntitySchema } from 'typeorm'
import type { Hex, UnixSeconds } from '@perigee/core'
import type { Authorisation } from '@perigee/core/authorisation'
import type { EntropySample } from '@perigee/core/entropy'
import type { SigningPolicy } from '@perigee/core/policy'
import type { AttestationReceiptV1 } from '@perigee/core/receipt'
import { BundleEntity } from './Bundle.js'
import { flag, integer, json, primary, text, time, unique, uuid } from './columns.js'
import { TransactionEntity, type Transaction } from './Transaction.js'
import type { Wallet } from './Wallet.js'

export interface ReceiptAnchors {
  /** Where the receipt format is described, and how to verify one. */
  spec: string
  instructions: string
  publication: { chainId: number; contract: Hex }
}

/** The attestation record: everything a receipt says beyond the transaction, fixed when the signature was made. */
export interface Attestation {
  transactionId: string
  platform: string
  /** True when any hardware in it was simulated. */
  simulated: boolean
  quote: Hex
  /** What the platform measured since the machine started. */
  runtimeEvents: AttestationReceiptV1['signer']['runtimeEvents']
  nonce: Hex
  policy: SigningPolicy
  signedAt: UnixSeconds
  collateralCid: string
  trustAnchorsCid: string
  rootFingerprint: Hex
  verifiedAt: UnixSeconds
  tcbStatus: string
  advisoryIds: string[]
  /** True only when the strict verification ran and accepted. */
  quoteVerified: boolean
  coordinator: AttestationReceiptV1['coordinator']
  /** Who asked, as the quote binds it. */
  authorisation: Authorisation
  entropy: EntropySample
  entropyHash: Hex
  /** Addresses the receipt will name. Kept with the record, because configuration may change before it is published. */
  anchors: ReceiptAnchors
  /** Fixed here, so that the same record always gives the same receipt bytes. */
  issuedAt: string
}

export const AttestationEntity = new EntitySchema<Attestation & { transaction: Transaction & { wallet: Wallet } }>({
  name: 'Attestation',
  tableName: 'attestations',
  columns: {
    transactionId: primary(uuid),
    platform: text,
    simulated: flag,
    quote: text,
    runtimeEvents: json,
    nonce: text,
    policy: json,
    signedAt: integer,
    collateralCid: { ...text, foreignKey: { target: BundleEntity } },
    trustAnchorsCid: { ...text, foreignKey: { target: BundleEntity } },
    rootFingerprint: text,
    verifiedAt: integer,
    tcbStatus: text,
    advisoryIds: json,
    quoteVerified: flag,
    coordinator: json,
    authorisation: json,
    entropy: json,
    entropyHash: unique(text),
    anchors: json,
    issuedAt: time,
  },
  relations: { transaction: { type: 'many-to-one', target: TransactionEntity, joinColumn: true } },
})
