import type { DataSource } from 'typeorm'
import { ServiceError, type Hex } from '@perigee/core'
import type { SealedKey } from '@perigee/core/enclave'
import type { EntropySample } from '@perigee/core/entropy'
import type { ProvisionedWallet, SignedTransaction } from '@perigee/core/workflow'
import type { EntropySupply } from '../../clients/entropy/EntropySupply.js'
import { findSigner, findWalletByUser } from '../../database/index.js'
import { provisioned } from './provisioned.js'

export interface EntropyDeps {
  database: DataSource
  entropy: Pick<EntropySupply, 'take'>
}

/** A sample to use with the wallet's sealed key, or the signature that exists already. */
export type SigningEntropy = { sample: EntropySample; key: SealedKey } | { signed: SignedTransaction }
/** A sample to use, or the wallet that exists already. */
export type KeyEntropy = { sample: EntropySample } | { wallet: ProvisionedWallet }

interface FetchEntropy {
  (purpose: { kind: 'sign'; walletId: string; digest: Hex }): Promise<SigningEntropy>
  (purpose: { kind: 'create'; userId: string }): Promise<KeyEntropy>
}

/** First step of `signDigest` and of `provisionWallet`. */
export function createEntropyActivities({ database, entropy }: EntropyDeps) {
  async function forSignature(walletId: string, digest: Hex): Promise<SigningEntropy> {
    const signer = await findSigner(database, walletId, digest)
    if (!signer) throw new ServiceError('wallet_not_found', 'there is no such wallet')
    const { id: _, ...key } = signer.wallet
    if (signer.signed) return { signed: { ...signer.signed, kind: 'transaction', wallet: key.address } }
    return { sample: await entropy.take({ kind: 'sign', id: `${walletId}/${digest}` }), key }
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
      purpose.kind === 'sign'
        ? forSignature(purpose.walletId, purpose.digest)
        : forKey(purpose.userId)) as FetchEntropy,
  }
}

export type EntropyActivities = ReturnType<typeof createEntropyActivities>
