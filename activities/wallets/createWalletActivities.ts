import { randomBytes, randomUUID } from 'node:crypto'
import type { DataSource } from 'typeorm'
import { ServiceError, toHex } from '@perigee/core'
import { entropyWitnessHash, type EntropySample } from '@perigee/core/entropy'
import type { CreateKeyAnswer, CreateKeyRequest } from '@perigee/core/enclave'
import type { ProvisionWalletInput, ProvisionWalletResult } from '@perigee/core/workflow'
import type { EnclaveClient } from '../../clients/enclave/EnclaveClient.js'
import type { EntropySupply } from '../../clients/entropy/EntropySupply.js'
import { retireIfReused } from '../../clients/entropy/retireIfReused.js'
import type { CoordinatorAttestor } from '../../clients/snp/CoordinatorAttestor.js'
import { recordWallet } from '../../database/index.js'
import type { VerifiedQuote } from '../evidence/createQuoteActivities.js'

export interface WalletDeps {
  database: DataSource
  entropy: Pick<EntropySupply, 'retire'>
  coordinator: Pick<CoordinatorAttestor, 'current'>
  enclave: Pick<EnclaveClient, 'createKey'>
  now: () => Date
}

/** A key with its evidence. The sealed key can be opened only inside an enclave, so it may pass through history. */
export interface NewKey {
  request: CreateKeyRequest
  answer: CreateKeyAnswer
}

/** Second and last step of `provisionWallet`. */
export function createWalletActivities(deps: WalletDeps) {
  const purposeOf = (userId: string) => ({ kind: 'create', id: userId }) as const

  return {
    /** Safe to retry: another attempt makes another key, and one that was never recorded has no user and no funds. */
    async createKeyInEnclave({ userId, entropy }: ProvisionWalletInput & { entropy: EntropySample }): Promise<NewKey> {
      const { reportHash } = await deps.coordinator.current()
      const request = { entropy, nonce: toHex(randomBytes(32)), coordinatorReportHash: reportHash }
      const answer = await retireIfReused(deps.entropy, purposeOf(userId), entropy, () =>
        deps.enclave.createKey(request),
      )
      return { request, answer }
    },

    /** Safe to retry: a user who has a wallet keeps it, and gets it as the answer. */
    async recordWallet({
      userId,
      key,
      verified,
    }: ProvisionWalletInput & { key: NewKey; verified: VerifiedQuote }): Promise<ProvisionWalletResult> {
      const { request, answer } = key
      const { entropy } = request
      return retireIfReused(deps.entropy, purposeOf(userId), entropy, async () => {
        const wallet = await recordWallet(deps.database, {
          id: randomUUID(),
          userId,
          keyId: answer.keyId,
          address: answer.address,
          publicKey: answer.publicKey,
          sealedKey: answer.sealedKey,
          entropy,
          entropyHash: entropyWitnessHash(entropy),
          quote: answer.quote,
          nonce: request.nonce,
          coordinatorReportHash: request.coordinatorReportHash,
          collateralCid: verified.collateralCid,
          tcbStatus: verified.tcbStatus,
          quoteVerified: true,
          keyCreatedAt: answer.createdAt,
          createdAt: deps.now().toISOString(),
        })
        if (!wallet) throw new ServiceError('entropy_reused', 'the entropy sample already served another wallet')
        return { walletId: wallet.id, address: wallet.address }
      })
    },
  }
}

export type WalletActivities = ReturnType<typeof createWalletActivities>
