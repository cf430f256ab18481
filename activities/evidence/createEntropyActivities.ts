import type { DataSource } from 'typeorm'
import { ServiceError } from '@perigee/core'
import type { SealedKey } from '@perigee/core/enclave'
import type { EntropySample } from '@perigee/core/entropy'
import type { CommittedSignature, ProvisionedWallet } from '@perigee/core/workflow'
import type { EntropySupply } from '../../clients/entropy/supply/createEntropySupply.js'
import { findMessageSigner, findSigner, findWalletByUser } from '../../database/index.js'
import { provisioned } from './provisioned.js'
import { sampleFor, type SigningPurpose } from './sampleFor.js'

export interface EntropyDeps {
  database: DataSource
  entropy: Pick<EntropySupply, 'take'>
}

/** A sample to use with the wallet's sealed key, or the signature that exists already. */
export type SigningEntropy = { sample: EntropySample; key: SealedKey } | { signed: CommittedSignature }
/** A sample to use, or the wallet that exists already. */
export type KeyEntropy = { sample: EntropySample } | { wallet: ProvisionedWallet }

interface FetchEntropy {
  (purpose: SigningPurpose): Promise<SigningEntropy>
  (purpose: { kind: 'create'; userId: string }): Promise<KeyEntropy>
}

/** First step of `signDigest`, `signMessage` and `provisionWallet`. */
export function createEntropyActivities({ database, entropy }: EntropyDeps) {
  async function forSignature(purpose: SigningPurpose): Promise<SigningEntropy> {
    const signer = await (purpose.kind === 'message'
      ? findMessageSigner(database, purpose)
      : findSigner(database, purpose.walletId, purpose.digest))
    if (!signer) throw new ServiceError('wallet_not_found', 'there is no such wallet')
    const { id: _, ...key } = signer.wallet
    const { kind } = purpose
    const signature = signer.signed?.signature
    if (signer.signed && signature) return { signed: { ...signer.signed, signature, kind, wallet: key.address } }
    return { sample: await entropy.take(sampleFor(purpose)), key }
  }

  async function forKey(userId: string): Promise<KeyEntropy> {
    const wallet = await findWalletByUser(database, userId)
    if (wallet) return { wallet: provisioned(wallet) }
    return { sample: await entropy.take({ kind: 'create', id: userId }) }
  }

  return {
    /**
     * A fresh sample for one signature or one key. The record is read first, once for all steps: what was signed or made before is given
     * back, so a repeated request spends no sample. Safe to retry: the same purpose gets the same sample.
     */
    fetchEntropy: ((purpose) =>
      purpose.kind === 'create' ? forKey(purpose.userId) : forSignature(purpose)) as FetchEntropy,
  }
}

export type EntropyActivities = ReturnType<typeof createEntropyActivities>
