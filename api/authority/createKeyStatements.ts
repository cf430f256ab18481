import { createHash } from 'node:crypto'
import { fromHex, toHex, type Hex } from '@perigee/core'
import { hashOf, ownersHash, zero32, zeroAddress, type Statement } from '@perigee/core/authorisation'
import type { NewOwners, Stated } from '@perigee/core/workflow'

type OwnersChange = Pick<NewOwners, 'owners' | 'approval'>

type State = (about: Omit<Statement, 'issuedAt' | 'expiresAt'>) => Promise<Stated>

/** Statements about a key itself: a person asks to make it, to change its owners, or to seal it again. */
export function createKeyStatements(state: State) {
  return {
    createKey: (subject: Hex, owned: OwnersChange | null) =>
      state({
        kind: 'create-key',
        subject,
        address: zeroAddress,
        digest: ownersHash(owned?.owners ?? null),
        chainId: 0,
        authorisationHash: owned ? hashOf(owned.approval) : zero32,
      }),
    changeOwners: (subject: Hex, address: Hex, { owners, approval }: OwnersChange) =>
      state({
        kind: 'change-owners',
        subject,
        address,
        digest: ownersHash(owners),
        chainId: 0,
        authorisationHash: hashOf(approval),
      }),
    resealKey: (subject: Hex, address: Hex, sealedKey: Hex) =>
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
