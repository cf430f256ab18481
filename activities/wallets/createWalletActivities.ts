import { randomUUID } from 'node:crypto'
import type { DataSource } from 'typeorm'
import { ServiceError } from '@perigee/core'
import type { ProvisionedWallet } from '@perigee/core/workflow'
import type { EnclaveClient } from '../../clients/enclave/createEnclaveClient.js'
import type { EntropySupply } from '../../clients/entropy/supply/createEntropySupply.js'
import { retireIfReused } from '../../clients/entropy/supply/retireIfReused.js'
import { findSubject, recordWallet } from '../../database/index.js'
import { newFacts, type ReceiptNames } from '../evidence/attestationOf.js'
import { recordedOf, type Recorded } from '../evidence/recordedOf.js'
import { newRequest } from '../evidence/newRequest.js'
import { provisioned } from '../evidence/provisioned.js'
import { birthRecord, type NewKey, type ToCreate, type ToRecordWallet } from './birthRecord.js'

export interface WalletDeps extends ReceiptNames {
  database: DataSource
  entropy: Pick<EntropySupply, 'retire'>
  enclave: Pick<EnclaveClient, 'createKey'>
  now: () => Date
}

/** Second and last step of `provisionWallet`. */
export function createWalletActivities(deps: WalletDeps) {
  const purposeOf = (userId: string) => ({ kind: 'create', id: userId }) as const

  return {
    /** Safe to retry: another attempt makes another key, and one that was never recorded has no user and no funds. */
    async createKeyInEnclave(input: ToCreate): Promise<NewKey> {
      const { userId, owned, statement, entropy } = input
      // Otherwise a person's only wallet could be one whose key opens for somebody else.
      if ((await findSubject(deps.database, userId)) !== statement.subject) {
        throw new ServiceError('statement_invalid', 'the statement is about another person than the wallet')
      }
      const owner = { owners: owned?.owners ?? null, approval: owned?.approval ?? null }
      const request = { ...newRequest(input), ...owner, entropy }
      const answer = await retireIfReused(deps.entropy, purposeOf(userId), entropy, () =>
        deps.enclave.createKey(request),
      )
      return { nonce: request.nonce, answer }
    },

    /**
     * Commits the wallet, the evidence of its birth and the intent to publish that, together. Safe to retry: a user who
     * has a wallet keeps it, and gets it as the answer.
     */
    async recordWallet(input: ToRecordWallet): Promise<ProvisionedWallet & { recorded?: Recorded }> {
      const { userId, entropy } = input
      const record = birthRecord(input, { walletId: randomUUID(), ...newFacts(deps) })
      return retireIfReused(deps.entropy, purposeOf(userId), entropy, async () => {
        const wallet = await recordWallet(deps.database, record)
        if (!wallet) throw new ServiceError('entropy_reused', 'the entropy sample already served another wallet')
        const isOurs = wallet.id === record.wallet.id
        return { ...provisioned(wallet), ...(isOurs && { recorded: recordedOf(record.attestation) }) }
      })
    },
  }
}

export type WalletActivities = ReturnType<typeof createWalletActivities>
