import { EntitySchema } from 'typeorm'
import type { Hex } from '@perigee/core'
import type { KnownCredential, OwnedSince, OwnersRecord } from '@perigee/core/authorisation'
import { defaultNow, json, nullable, primary, text, time, unique, uuid } from './columns.js'
import { UserEntity } from './User.js'

/** A person's wallet: the sealed key, which only the enclave can open. How it was made is in the record of its birth. */
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
    createdAt: defaultNow(time),
  },
  checks: [
    { name: 'wallets_address_check', expression: 'address = lower(address)' },
    { name: 'wallets_owned_check', expression: '(owners IS NULL) = (since IS NULL)' },
  ],
})
