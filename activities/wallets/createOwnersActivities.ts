import type { DataSource } from 'typeorm'
import { ServiceError, type Hex } from '@perigee/core'
import { ownersHash } from '@perigee/core/authorisation'
import type { ChangeOwnersAnswer, SealedKey } from '@perigee/core/enclave'
import type { ChangeOwnersInput, ChangeOwnersResult } from '@perigee/core/workflow'
import type { QuoteToVerify } from '../../clients/enclave/EvidenceVerifier.js'
import type { EnclaveClient } from '../../clients/enclave/createEnclaveClient.js'
import { recordOwners } from '../../database/index.js'
import { newRequest } from '../evidence/newRequest.js'
import { requireVerified, type VerifiedQuote } from '../evidence/requireVerified.js'
import { requireWallet } from './requireWallet.js'

export interface OwnersDeps {
  database: DataSource
  enclave: Pick<EnclaveClient, 'changeOwners'>
  now: () => Date
}

/** The key as it was sealed before, and as the enclave sealed it for its next owners, with all that its quote vouches for. */
export interface Resealed extends SealedKey {
  nonce: Hex
  answer: ChangeOwnersAnswer
}

type ToRecordOwners = ChangeOwnersInput & { resealed: Resealed; verified: VerifiedQuote }

/** What `changeOwners` had verified. */
export function quotedIn(input: Omit<ToRecordOwners, 'verified'>): QuoteToVerify {
  const { owners: next, approval, coordinator, statement, resealed } = input
  const { keyId, address, owners, since, nonce, answer } = resealed
  const request = { keyId, address, owners, since, next, approval, nonce, coordinator, statement }
  return { kind: 'owners', request, answer }
}

/** First and last step of `changeOwners`. */
export function createOwnersActivities(deps: OwnersDeps) {
  function overtaken(): ServiceError {
    return new ServiceError('owners_changed', 'the wallet’s owners were changed meanwhile; look at them again')
  }

  return {
    /**
     * The record is read first: a change that was made before is given back. Safe to retry: another attempt seals the
     * same key again, and a seal that was never recorded is dropped.
     */
    async changeOwnersInEnclave(input: ChangeOwnersInput): Promise<Resealed | ChangeOwnersResult> {
      const { owners: next, approval } = input
      const { keyId, address, sealedKey, owners, since } = await requireWallet(deps.database, input.walletId)
      if (ownersHash(owners) === ownersHash(next)) return { ownersHash: ownersHash(next) }
      if (next.previous !== (owners && ownersHash(owners))) throw overtaken()
      const key = { keyId, address, sealedKey, owners, since }
      const request = { ...key, ...newRequest(input), next, approval }
      const answer = await deps.enclave.changeOwners(request)
      return { ...key, nonce: request.nonce, answer }
    },

    /** Safe to retry: it replaces exactly the seal that was opened, once, and otherwise reads what is there. */
    async recordOwners(input: ToRecordOwners): Promise<ChangeOwnersResult> {
      const { walletId, owners, credentials, resealed, verified, statement } = input
      requireVerified(verified, quotedIn(input))
      // A change that was given up must not take effect when someone runs it again later.
      const isLate = deps.now().getTime() / 1000 > statement.expiresAt
      const isFirst =
        !isLate &&
        (await recordOwners(deps.database, walletId, resealed.sealedKey, {
          sealedKey: resealed.answer.sealedKey,
          owners,
          since: resealed.since ?? 'upgrade',
          credentials,
        }))
      const wanted = ownersHash(owners)
      if (isFirst || ownersHash((await requireWallet(deps.database, walletId)).owners) === wanted)
        return { ownersHash: wanted }
      if (!isLate) throw overtaken()
      throw new ServiceError('statement_expired', 'the change waited too long to be recorded; ask for it again')
    },
  }
}

export type OwnersActivities = ReturnType<typeof createOwnersActivities>
