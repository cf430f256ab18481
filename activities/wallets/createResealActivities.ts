import type { DataSource } from 'typeorm'
import { ServiceError } from '@perigee/core'
import { sealingVersionOf } from '@perigee/core/enclave'
import type { ResealWalletInput, ResealWalletResult } from '@perigee/core/workflow'
import type { EnclaveClient } from '../../clients/enclave/createEnclaveClient.js'
import { hasReseal, recordReseal } from '../../database/index.js'
import { newRequest } from '../evidence/newRequest.js'
import { requireWallet } from './requireWallet.js'
import { resealRecord, type ResealedKey, type ToRecordReseal } from './resealRecord.js'

export interface ResealDeps {
  database: DataSource
  enclave: Pick<EnclaveClient, 'resealKey'>
  now: () => Date
}

/** First and last step of `resealWallet`. */
export function createResealActivities(deps: ResealDeps) {
  return {
    /**
     * The record is read first: a key that is under this version already stays as it is. Safe to retry: another attempt
     * seals the same key again, and a seal that was never recorded is dropped.
     */
    async resealKeyInEnclave(input: ResealWalletInput): Promise<ResealedKey | ResealWalletResult> {
      const { sealedKey, keyId, address, owners, since } = await requireWallet(deps.database, input.walletId)
      if (sealingVersionOf(sealedKey) >= input.version) return { version: sealingVersionOf(sealedKey) }
      const key = { sealedKey, keyId, address, owners, since }
      const request = { ...key, ...newRequest(input) }
      const answer = await deps.enclave.resealKey(request)
      if (answer.sealingVersion < input.version) {
        throw new ServiceError('enclave_refused', 'this enclave still seals under an older version', {
          version: answer.sealingVersion,
          wanted: input.version,
        })
      }
      return { key, nonce: request.nonce, answer }
    },

    /** Safe to retry: it replaces exactly the seal that was opened, once; otherwise what is there stays. */
    async recordReseal(input: ToRecordReseal): Promise<ResealWalletResult> {
      const { walletId, resealed } = input
      const { key, answer } = resealed
      const evidence = resealRecord(input, deps.now())
      const isFirst = await recordReseal(deps.database, key.sealedKey, answer.sealedKey, evidence)
      // An attempt before this one may have recorded it, and the key may have been sealed for other owners since.
      const recorded = isFirst || (await hasReseal(deps.database, evidence))
      const { sealedKey } = await requireWallet(deps.database, walletId)
      return { version: sealingVersionOf(sealedKey), recorded }
    },
  }
}

export type ResealActivities = ReturnType<typeof createResealActivities>
