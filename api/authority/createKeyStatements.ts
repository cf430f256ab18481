import { createHash } from 'node:crypto'
import { fromHex, toHex, type Hex } from '@perigee/core'
import {
  hashOf,
  ownersHash,
  zero32,
  zeroAddress,
  type OwnersApproval,
  type OwnersRecord,
  type Statement,
} from '@perigee/core/authorisation'
import type { Stated } from '@perigee/core/workflow'

interface OwnersChange {
  owners: OwnersRecord
  approval: OwnersApproval
}

/** Statements about a key itself: a person asks to make it, to change its owners, or to seal it again. */
export interface KeyStatements {
  createKey(subject: Hex, owned: OwnersChange | null): Promise<Stated>
  changeOwners(subject: Hex, address: Hex, change: OwnersChange): Promise<Stated>
  resealKey(subject: Hex, address: Hex, sealedKey: Hex): Promise<Stated>
}

type State = (about: Omit<Statement, 'issuedAt' | 'expiresAt'>) => Promise<Stated>

export function createKeyStatements(state: State): KeyStatements {
  return {
    createKey: (subject, owned) =>
      state({
        kind: 'create-key',
        subject,
        address: zeroAddress,
        digest: ownersHash(owned?.owners ?? null),
        chainId: 0,
        authorisationHash: owned ? hashOf(owned.approval) : zero32,
      }),
    changeOwners: (subject, address, { owners, approval }) =>
      state({
        kind: 'change-owners',
        subject,
        address,
        digest: ownersHash(owners),
        chainId: 0,
        authorisationHash: hashOf(approval),
      }),
    resealKey: (subject, address, sealedKey) =>
      state({
        kind: 'reseal-key',
        subject,
        address,
        digest: toHex(createHash('sha256').update(fromHex(sealedKey)).digest()),
        chainId: 0,
        authorisationHash: zero32,
      }),
  }
}
