import { randomBytes } from 'node:crypto'
import type { DataSource } from 'typeorm'
import { ServiceError, toHex, type Hex } from '@perigee/core'
import { ownersHash, type OwnedSince, type OwnersRecord } from '@perigee/core/authorisation'
import type { ChangeOwnersAnswer } from '@perigee/core/enclave'
import type { ChangeOwnersInput, ChangeOwnersResult } from '@perigee/core/workflow'
import type { EnclaveClient } from '../../clients/enclave/EnclaveClient.js'
import { findWallet, recordOwners, type Wallet } from '../../database/index.js'
import type { VerifiedQuote } from '../evidence/createQuoteActivities.js'
import { evidenceOf } from '../evidence/evidenceOf.js'
import { requireVerified } from '../evidence/requireVerified.js'

export interface OwnersDeps {
  database: DataSource
  enclave: Pick<EnclaveClient, 'changeOwners'>
  now: () => Date
}

/** The key as the enclave sealed it for its next owners, with all that its quote vouches for. */
export interface Resealed {
  keyId: string
  address: Hex
  /** The seal, the owners and `since` before. */
  sealedKey: Hex
  owners: OwnersRecord | null
  since: OwnedSince | null
  nonce: Hex
  answer: ChangeOwnersAnswer
}

type ToRecordOwners = ChangeOwnersInput & { resealed: Resealed; verified: VerifiedQuote }

/** First and last step of `changeOwners`. */
export function createOwnersActivities(deps: OwnersDeps) {
  async function walletOf({ walletId }: ChangeOwnersInput): Promise<Wallet> {
    const wallet = await findWallet(deps.database, walletId)
    if (!wallet) throw new ServiceError('wallet_not_found', 'there is no such wallet')
    return wallet
  }

  function overtaken(): ServiceError {
    return new ServiceError('owners_changed', 'the wallet’s owners were changed meanwhile; look at them again')
  }

  function expired(): ServiceError {
    return new ServiceError('statement_expired', 'the change waited too long to be recorded; ask for it again')
  }

  return {
    /**
     * The record is read first: a change that was made before is given back. Safe to retry: another attempt seals the
     * same key again, and a seal that was never recorded is dropped.
     */
    async changeOwnersInEnclave(input: ChangeOwnersInput): Promise<Resealed | ChangeOwnersResult> {
      const { owners: next, approval, statement } = input
      const wallet = await walletOf(input)
      const { keyId, address, sealedKey, owners, since } = wallet
      if (ownersHash(owners) === ownersHash(next)) return { ownersHash: ownersHash(next) }
      if (next.previous !== (owners && ownersHash(owners))) throw overtaken()
      const nonce = toHex(randomBytes(32))
      const answer = await deps.enclave.changeOwners({
        sealedKey,
        keyId,
        address,
        owners,
        since,
        next,
        approval,
        nonce,
        coordinator: evidenceOf(input.coordinator),
        statement,
      })
      return { keyId, address, sealedKey, owners, since, nonce, answer }
    },

    /** Safe to retry: it replaces exactly the seal that was opened, once, and otherwise reads what is there. */
    async recordOwners(input: ToRecordOwners): Promise<ChangeOwnersResult> {
      const { walletId, owners, credentials, resealed, verified, statement } = input
      requireVerified(verified, resealed.answer)
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
      if (!isFirst && ownersHash((await walletOf(input)).owners) !== wanted) throw isLate ? expired() : overtaken()
      return { ownersHash: wanted }
    },
  }
}

export type OwnersActivities = ReturnType<typeof createOwnersActivities>
