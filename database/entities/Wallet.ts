import type { Hex } from '@perigee/core'
import type { KnownCredential, OwnedSince, OwnersRecord } from '@perigee/core/authorisation'
import {
  defaultNow,
  json,
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
import { UserEntity } from './User.js'

/** A person's wallet: the sealed key, which only the enclave can open. How it was made is in the record of its birth. */
export const WalletEntity = table({
  name: 'Wallet',
  tableName: 'wallets',
  columns: {
    id: primary(uuid),
    userId: unique(references(UserEntity, uuid)),
    keyId: unique(text),
    /** Lower case. */
    address: unique(of<Hex>(text)),
    publicKey: of<Hex>(text),
    /** Bound to subject, owners and `since`: with other values in this row the enclave does not open it. */
    sealedKey: of<Hex>(text),
    /** Whose it was made for (`subjectCommitment`). Statements take the subject from the session, never from here. */
    subject: of<Hex>(text),
    owners: nullable(of<OwnersRecord>(json)),
    since: nullable(of<OwnedSince>(text)),
    credentials: of<KnownCredential[]>(json),
    createdAt: defaultNow(time),
  },
  checks: [
    { name: 'wallets_address_check', expression: 'address = lower(address)' },
    { name: 'wallets_owned_check', expression: '(owners IS NULL) = (since IS NULL)' },
  ],
})
export type Wallet = RowOf<typeof WalletEntity>
