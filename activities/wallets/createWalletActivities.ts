import { randomBytes, randomUUID } from 'node:crypto'
import type { DataSource } from 'typeorm'
import { entropyWitnessHash, ServiceError, toHex } from '@perigee/core'
import type { ProvisionWalletInput, ProvisionWalletResult } from '@perigee/core/workflow'
import type { CoordinatorAttestor } from '../../clients/snp/CoordinatorAttestor.js'
import { findWalletByUser, recordWallet } from '../../database/index.js'
import type { EnclaveClient } from '../../clients/enclave/EnclaveClient.js'
import type { EvidenceVerifier } from '../../clients/enclave/EvidenceVerifier.js'
import type { EntropySupply } from '../../clients/entropy/EntropySupply.js'
import { withSample } from '../../clients/entropy/withSample.js'

export interface WalletDeps {
  database: DataSource
  entropy: Pick<EntropySupply, 'take' | 'retire'>
  coordinator: Pick<CoordinatorAttestor, 'current'>
  enclave: Pick<EnclaveClient, 'createKey'>
  evidence: Pick<EvidenceVerifier, 'verifyCreateKeyEvidence'>
  now: () => Date
}

export function createWalletActivities(deps: WalletDeps) {
  return {
    /**
     * Safe to retry: a user who has a wallet keeps it. A retry after a crash between the enclave and the database makes
     * a new key, and the old one, which was never stored, is lost together with nothing.
     */
    async createWallet({ userId }: ProvisionWalletInput): Promise<ProvisionWalletResult> {
      const existing = await findWalletByUser(deps.database, userId)
      if (existing) return { walletId: existing.id, address: existing.address }

      return withSample(deps.entropy, { kind: 'create', id: userId }, async (entropy) => {
        const coordinator = await deps.coordinator.current()
        const request = { entropy, nonce: toHex(randomBytes(32)), coordinatorReportHash: coordinator.reportHash }
        const answer = await deps.enclave.createKey(request)
        const evidence = await deps.evidence.verifyCreateKeyEvidence(request, answer)
        const wallet = await recordWallet(
          deps.database,
          {
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
            collateralCid: evidence.collateralCid,
            tcbStatus: evidence.verdict.tcbStatus,
            quoteVerified: true,
            keyCreatedAt: answer.createdAt,
            createdAt: deps.now().toISOString(),
          },
          { cid: evidence.collateralCid, kind: 'collateral', bytes: evidence.collateralBytes },
        )
        if (!wallet) throw new ServiceError('entropy_reused', 'the entropy sample already served another wallet')
        return { walletId: wallet.id, address: wallet.address }
      })
    },
  }
}

export type WalletActivities = ReturnType<typeof createWalletActivities>
