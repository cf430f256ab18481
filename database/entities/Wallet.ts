import { EntitySchema } from 'typeorm'
import type { Hex, UnixSeconds } from '@perigee/core'
import type { KnownCredential, OwnedSince, OwnersRecord } from '@perigee/core/authorisation'
import type { EntropySample } from '@perigee/core/entropy'
import { BundleEntity } from './Bundle.js'
import { defaultNow, flag, integer, json, nullable, primary, text, time, unique, uuid } from './columns.js'
import { UserEntity } from './User.js'

/** A person's wallet: the sealed key, which only the enclave can open, and the evidence of how the key was made. */
export interface Wallet {
  id: string
  userId: string
  keyId: string
  /** Lower case. */
  address: Hex
  publicKey: Hex
  /** Bound to subject, owners and `since`: with other values in this row the enclave does not open it. */
  sealedKey: Hex
  /** Whose it was made for (`subjectCommitment`). Statements take the subject from the session, never from here. */
  subject: Hex
  owners: OwnersRecord | null
  since: OwnedSince | null
  credentials: KnownCredential[]
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
    id: primary(uuid),
    userId: { ...unique(uuid), foreignKey: { target: UserEntity } },
    keyId: unique(text),
    address: unique(text),
    publicKey: text,
    sealedKey: text,
    subject: text,
    owners: nullable(json),
    since: nullable(text),
    credentials: json,
    entropy: json,
    entropyHash: unique(text),
    quote: text,
    nonce: text,
    coordinatorReportHash: text,
    collateralCid: { ...text, foreignKey: { target: BundleEntity } },
    tcbStatus: text,
    quoteVerified: flag,
    keyCreatedAt: integer,
    createdAt: defaultNow(time),
  },
  checks: [
    { name: 'wallets_address_check', expression: 'address = lower(address)' },
    { name: 'wallets_owned_check', expression: '(owners IS NULL) = (since IS NULL)' },
  ],
})
