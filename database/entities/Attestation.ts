import { EntitySchema } from 'typeorm'
import type { AttestationReceiptV1, EntropySample, Hex, UnixSeconds } from '@perigee/core'
import { flag, integer, json, text, time, uuid } from './columns.js'

/** The attestation record: everything a receipt says beyond the transaction, fixed when the signature was made. */
export interface Attestation {
  transactionId: string
  platform: string
  /** True when any hardware in it was simulated. */
  simulated: boolean
  quote: Hex
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
    issuedAt: time('issued_at'),
  },
})
