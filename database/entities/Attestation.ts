import { EntitySchema } from 'typeorm'
import type { Hex, UnixSeconds } from '@perigee/core'
import type { EntropySample } from '@perigee/core/entropy'
import type { AttestationReceiptV1 } from '@perigee/core/receipt'
import { flag, integer, json, text, time, uuid } from './columns.js'

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
  /** What the platform measured at run time; null when it measures nothing. */
  runtimeEvents: AttestationReceiptV1['signer']['runtimeEvents']
  nonce: Hex
  policyHash: Hex
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
  entropy: EntropySample
  entropyHash: Hex
  /** Addresses the receipt will name. Kept with the record, because configuration may change before it is published. */
  anchors: ReceiptAnchors
  /** Fixed here, so that the same record always gives the same receipt bytes. */
  issuedAt: string
}

export const AttestationEntity = new EntitySchema<Attestation>({
  name: 'Attestation',
  tableName: 'attestations',
  columns: {
    transactionId: uuid('transaction_id', { primary: true }),
    platform: text('platform'),
    simulated: flag('simulated'),
    quote: text('quote'),
    runtimeEvents: json('runtime_events', { nullable: true }),
    nonce: text('nonce'),
    policyHash: text('policy_hash'),
    signedAt: integer('signed_at'),
    collateralCid: text('collateral_cid'),
    trustAnchorsCid: text('trust_anchors_cid'),
    rootFingerprint: text('root_fingerprint'),
    verifiedAt: integer('verified_at'),
    tcbStatus: text('tcb_status'),
    advisoryIds: json('advisory_ids'),
    quoteVerified: flag('quote_verified'),
    coordinator: json('coordinator'),
    entropy: json('entropy'),
    entropyHash: text('entropy_hash', { unique: true }),
    anchors: json('anchors'),
    issuedAt: time('issued_at'),
  },
})
