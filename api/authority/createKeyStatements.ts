import { createHash } from 'node:crypto'
import { fromHex, toHex, type Hex } from '@perigee/core'
import { hashOf, ownersHash, zero32, zeroAddress, type Statement } from '@perigee/core/authorisation'
import type { NewOwners, Stated } from '@perigee/core/workflow'

type OwnersChange = Pick<NewOwners, 'owners' | 'approval'>

type State = (about: Omit<Statement, 'issuedAt' | 'expiresAt'>) => Promise<Stated>

/** Statements about a key itself: a person asks to make it, to change its owners, or to seal it again. */
export function createKeyStatements(state: State) {
  return {
    createKey(subject: Hex, owned: OwnersChange | null): Promise<Stated> {
      const digest = ownersHash(owned?.owners ?? null)
      const authorisationHash = owned ? hashOf(owned.approval) : zero32
      return state({ kind: 'create-key', subject, address: zeroAddress, digest, chainId: 0, authorisationHash })
    },
    changeOwners(subject: Hex, address: Hex, { owners, approval }: OwnersChange): Promise<Stated> {
      const digest = ownersHash(owners)
      const authorisationHash = hashOf(approval)
      return state({ kind: 'change-owners', subject, address, digest, chainId: 0, authorisationHash })
    },
    resealKey(subject: Hex, address: Hex, sealedKey: Hex): Promise<Stated> {
      const digest = toHex(createHash('sha256').update(fromHex(sealedKey)).digest())
      return state({ kind: 'reseal-key', subject, address, digest, chainId: 0, authorisationHash: zero32 })
    },
  }
}
