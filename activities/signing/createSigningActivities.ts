import { randomBytes } from 'node:crypto'
import type { DataSource } from 'typeorm'
import { ServiceError, toHex, transactionHash, verifyDigest } from '@perigee/core'
import type { SignDigestInput, SignedTransaction } from '@perigee/core/workflow'
import type { EnclaveClient } from '../../clients/enclave/EnclaveClient.js'
import type { EntropySupply } from '../../clients/entropy/EntropySupply.js'
import { retireIfReused } from '../../clients/entropy/retireIfReused.js'
import { recordSignature } from '../../database/index.js'
import type { ReceiptNames } from '../evidence/attestationOf.js'
import { recordedOf, type Recorded } from '../evidence/recordedOf.js'
import { evidenceOf } from '../evidence/evidenceOf.js'
import { newSlug } from '../evidence/newSlug.js'
import { signatureRecord, type EnclaveSignature, type ToRecord, type ToSign } from './signatureRecord.js'

export interface SigningDeps extends ReceiptNames {
  database: DataSource
  entropy: Pick<EntropySupply, 'retire'>
  enclave: Pick<EnclaveClient, 'signTransaction'>
  now: () => Date
}

/** Second and last step of `signDigest`. */
export function createSigningActivities(deps: SigningDeps) {
  function refuseExpired({ expiresAtMs }: SignDigestInput): void {
    if (deps.now().getTime() <= expiresAtMs) return
    throw new ServiceError('request_expired', 'the request waited too long to be signed; send it again')
  }

  return {
    /**
     * Whether the request may be signed, the enclave decides: from the statement, which the worker cannot make, and the
     * sealed key. Safe to retry: the same transaction gives the same signature, and each attempt takes a new nonce.
     */
    async signInEnclave(input: ToSign): Promise<EnclaveSignature> {
      refuseExpired(input)
      verifyDigest(input.transaction, input.digest)
      const nonce = toHex(randomBytes(32))
      const purpose = { kind: 'sign', id: `${input.walletId}/${input.digest}` } as const
      const answer = await retireIfReused(deps.entropy, purpose, input.entropy, () =>
        deps.enclave.signTransaction({
          ...input.key,
          transaction: input.transaction,
          digest: input.digest,
          entropy: input.entropy,
          nonce,
          coordinator: evidenceOf(input.coordinator),
          statement: input.statement,
          approval: input.approval,
        }),
      )
      return { nonce, answer }
    },

    /**
     * Commits the signature, its evidence and the intent to publish, together. Safe to retry, and to run twice at once:
     * the first row for this wallet and digest wins, and every caller gets that one.
     */
    async recordSignature(input: ToRecord): Promise<SignedTransaction & { recorded?: Recorded }> {
      refuseExpired(input)
      const record = signatureRecord(input, {
        slug: newSlug(),
        txHash: transactionHash(input.transaction, input.signed.answer.signature),
        anchors: deps.anchors,
        trustAnchors: deps.trustAnchors,
        now: deps.now(),
      })
      const row = await recordSignature(deps.database, record)
      const isOurs = row.slug === record.proof.slug
      const signed = { ...row, kind: 'transaction', wallet: input.key.address } as const
      return isOurs ? { ...signed, recorded: recordedOf(record.attestation) } : signed
    },
  }
}

export type SigningActivities = ReturnType<typeof createSigningActivities>
