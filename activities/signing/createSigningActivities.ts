import { randomBytes, randomUUID } from 'node:crypto'
import type { DataSource } from 'typeorm'
import { entropyWitnessHash, ServiceError, toHex, transactionHash, verifyDigest, type Hex } from '@perigee/core'
import type { SignDigestInput } from '@perigee/core/workflow'
import type { CoordinatorAttestor } from '../../coordinator/CoordinatorAttestor.js'
import { findSigner, recordSignature, type ReceiptAnchors, type SignedRow } from '../../database/index.js'
import type { EnclaveClient } from '../enclave/EnclaveClient.js'
import type { EvidenceVerifier } from '../enclave/EvidenceVerifier.js'
import type { EntropySupply } from '../entropy/EntropySupply.js'
import { withSample } from '../entropy/withSample.js'
import { signedRecord } from './signedRecord.js'

export interface SigningDeps {
  database: DataSource
  entropy: Pick<EntropySupply, 'take' | 'retire'>
  coordinator: Pick<CoordinatorAttestor, 'current'>
  enclave: Pick<EnclaveClient, 'signTransaction'>
  evidence: Pick<EvidenceVerifier, 'verifySignEvidence'>
  /** Addresses that receipts name. */
  anchors: ReceiptAnchors
  /** Whom we believed when we verified: pinned once, named by every receipt. */
  trustAnchors: { cid: string; bytes: Uint8Array }
  now: () => Date
}

/** A signature that is committed, with the names its publication needs. All of it is public or will be. */
export interface SignedTransaction {
  signature: Hex
  slug: string
  txHash: Hex
  wallet: Hex
  chainId: number
  /** Its publication has been started. Absent: the workflow does that. */
  publishing?: true
}

export function createSigningActivities(deps: SigningDeps) {
  return {
    /**
     * Entropy, enclave, verification, record: one activity, because each step needs the one before it and the quote must
     * not travel through history. Safe to retry: a committed signature is found and given back, the same purpose gets
     * the same entropy, and the enclave gives the same signature for the same transaction.
     */
    async signTransaction(input: SignDigestInput): Promise<SignedTransaction> {
      const signer = await findSigner(deps.database, input.walletId, input.digest)
      if (!signer) throw new ServiceError('wallet_not_found', 'there is no such wallet')
      const { wallet } = signer
      const give = ({ signature, slug, txHash, chainId }: SignedRow): SignedTransaction => {
        return { signature, slug, txHash, wallet: wallet.address, chainId }
      }
      if (signer.signed) return give(signer.signed)

      if (deps.now().getTime() > input.expiresAtMs) {
        throw new ServiceError('request_expired', 'the request waited too long to be signed; send it again')
      }
      verifyDigest(input.transaction, input.digest)
      const purpose = { kind: 'sign', id: `${wallet.id}/${input.digest}` } as const
      return withSample(deps.entropy, purpose, async (entropy) => {
        const coordinator = await deps.coordinator.current()
        const request = {
          sealedKey: wallet.sealedKey,
          keyId: wallet.keyId,
          address: wallet.address,
          transaction: input.transaction,
          digest: input.digest,
          entropy,
          nonce: toHex(randomBytes(32)),
          coordinatorReportHash: coordinator.reportHash,
        }
        const answer = await deps.enclave.signTransaction(request)
        const evidence = await deps.evidence.verifySignEvidence(request, answer)
        const record = signedRecord({
          request,
          answer,
          evidence,
          coordinator,
          walletId: wallet.id,
          transactionId: randomUUID(),
          slug: randomBytes(18).toString('base64url'), // 144 bits: a proof is found only by those who were given its name
          txHash: transactionHash(input.transaction, answer.signature),
          entropyHash: entropyWitnessHash(entropy),
          anchors: deps.anchors,
          trustAnchors: deps.trustAnchors,
          now: deps.now(),
        })
        return give(await recordSignature(deps.database, record))
      })
    },
  }
}

export type SigningActivities = ReturnType<typeof createSigningActivities>
