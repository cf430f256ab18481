import { randomBytes, randomUUID } from 'node:crypto'
import type { DataSource } from 'typeorm'
import { ServiceError, toHex, type Hex } from '@perigee/core'
import { entropyWitnessHash, type EntropySample } from '@perigee/core/entropy'
import type { CreateKeyAnswer } from '@perigee/core/enclave'
import type { ProvisionWalletInput, ProvisionWalletResult } from '@perigee/core/workflow'
import type { EnclaveClient } from '../../clients/enclave/EnclaveClient.js'
import type { EntropySupply } from '../../clients/entropy/EntropySupply.js'
import { retireIfReused } from '../../clients/entropy/retireIfReused.js'
import { recordWallet } from '../../database/index.js'
import { evidenceOf } from '../evidence/evidenceOf.js'
import type { VerifiedQuote } from '../evidence/createQuoteActivities.js'

export interface WalletDeps {
  database: DataSource
  entropy: Pick<EntropySupply, 'retire'>
  enclave: Pick<EnclaveClient, 'createKey'>
  now: () => Date
}

interface ToCreate extends ProvisionWalletInput {
  entropy: EntropySample
}

/** A key with its evidence. The sealed key can be opened only inside an enclave, so it may pass through history. */
export interface NewKey {
  nonce: Hex
  answer: CreateKeyAnswer
}

/** Second and last step of `provisionWallet`. */
export function createWalletActivities(deps: WalletDeps) {
  const purposeOf = (userId: string) => ({ kind: 'create', id: userId }) as const

  return {
    /** Safe to retry: another attempt makes another key, and one that was never recorded has no user and no funds. */
    async createKeyInEnclave({ userId, owned, coordinator, statement, entropy }: ToCreate): Promise<NewKey> {
      const nonce = toHex(randomBytes(32))
      const answer = await retireIfReused(deps.entropy, purposeOf(userId), entropy, () =>
        deps.enclave.createKey({
          entropy,
          nonce,
          coordinator: evidenceOf(coordinator),
          statement,
          owners: owned?.owners ?? null,
          approval: owned?.approval ?? null,
        }),
      )
      return { nonce, answer }
    },

    /** Safe to retry: a user who has a wallet keeps it, and gets it as the answer. */
    async recordWallet(input: ToCreate & { key: NewKey; verified: VerifiedQuote }): Promise<ProvisionWalletResult> {
      const { userId, owned, entropy, verified } = input
      const { nonce, answer } = input.key
      return retireIfReused(deps.entropy, purposeOf(userId), entropy, async () => {
        const wallet = await recordWallet(deps.database, {
          id: randomUUID(),
          userId,
          keyId: answer.keyId,
          address: answer.address,
          publicKey: answer.publicKey,
          sealedKey: answer.sealedKey,
          subject: input.statement.subject,
          owners: owned?.owners ?? null,
          since: owned ? 'creation' : null,
          credentials: owned?.credentials ?? [],
          entropy,
          entropyHash: entropyWitnessHash(entropy),
          quote: answer.quote,
          nonce,
          coordinatorReportHash: input.coordinator.reportHash,
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
