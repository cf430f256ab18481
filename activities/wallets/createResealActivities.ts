import { createHash, randomBytes } from 'node:crypto'
import type { DataSource } from 'typeorm'
import { fromHex, ServiceError, toHex, type Hex } from '@perigee/core'
import { sealingVersionOf, type ResealKeyAnswer, type SealedKey } from '@perigee/core/enclave'
import type { ResealWalletInput, ResealWalletResult } from '@perigee/core/workflow'
import type { EnclaveClient } from '../../clients/enclave/EnclaveClient.js'
import { findWallet, recordReseal, type Wallet } from '../../database/index.js'
import type { VerifiedQuote } from '../evidence/createQuoteActivities.js'
import { evidenceOf } from '../evidence/evidenceOf.js'

export interface ResealDeps {
  database: DataSource
  enclave: Pick<EnclaveClient, 'resealKey'>
  now: () => Date
}

/** The key as it was sealed before, and as the enclave sealed it again. */
export interface ResealedKey {
  key: SealedKey
  nonce: Hex
  answer: ResealKeyAnswer
}

/** First and last step of `resealWallet`. */
export function createResealActivities(deps: ResealDeps) {
  async function walletOf(walletId: string): Promise<Wallet> {
    const wallet = await findWallet(deps.database, walletId)
    if (!wallet) throw new ServiceError('wallet_not_found', 'there is no such wallet')
    return wallet
  }

  return {
    /**
     * The record is read first: a key that is under this version already stays as it is. Safe to retry: another attempt
     * seals the same key again, and a seal that was never recorded is dropped.
     */
    async resealKeyInEnclave(input: ResealWalletInput): Promise<ResealedKey | ResealWalletResult> {
      const { sealedKey, keyId, address, owners, since } = await walletOf(input.walletId)
      if (sealingVersionOf(sealedKey) >= input.version) return { version: sealingVersionOf(sealedKey) }
      const key = { sealedKey, keyId, address, owners, since }
      const nonce = toHex(randomBytes(32))
      const { coordinator, statement } = input
      const answer = await deps.enclave.resealKey({ ...key, nonce, coordinator: evidenceOf(coordinator), statement })
      if (answer.sealingVersion < input.version) {
        throw new ServiceError('enclave_refused', 'this enclave still seals under an older version', {
          version: answer.sealingVersion,
          wanted: input.version,
        })
      }
      return { key, nonce, answer }
    },

    /** Safe to retry: it replaces exactly the seal that was opened, once; otherwise what stands there stays. */
    async recordReseal(
      input: ResealWalletInput & { resealed: ResealedKey; verified: VerifiedQuote },
    ): Promise<ResealWalletResult> {
      const { walletId, coordinator, statement, resealed, verified } = input
      const { key, nonce, answer } = resealed
      await recordReseal(deps.database, key.sealedKey, answer.sealedKey, {
        walletId,
        version: answer.sealingVersion,
        sealedKeyHash: sha256Of(key.sealedKey),
        nextSealedKeyHash: sha256Of(answer.sealedKey),
        publicKey: answer.publicKey,
        platform: answer.platform,
        quote: answer.quote,
        runtimeEvents: answer.runtimeEvents,
        nonce,
        coordinator,
        statement,
        collateralCid: verified.collateralCid,
        tcbStatus: verified.tcbStatus,
        resealedAt: answer.resealedAt,
        createdAt: deps.now().toISOString(),
      })
      return { version: sealingVersionOf((await walletOf(walletId)).sealedKey) }
    },
  }
}

export type ResealActivities = ReturnType<typeof createResealActivities>

const sha256Of = (bytes: Hex): Hex => toHex(createHash('sha256').update(fromHex(bytes)).digest())
