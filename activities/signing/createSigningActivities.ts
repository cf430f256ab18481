import type { DataSource } from 'typeorm'
import { ServiceError, verifyDigest } from '@perigee/core'
import type { CommittedSignature } from '@perigee/core/workflow'
import type { EnclaveClient } from '../../clients/enclave/createEnclaveClient.js'
import type { EntropySupply } from '../../clients/entropy/supply/createEntropySupply.js'
import { retireIfReused } from '../../clients/entropy/supply/retireIfReused.js'
import { recordMessage, recordSignature } from '../../database/index.js'
import { newFacts, type ReceiptNames } from '../evidence/attestationOf.js'
import { recordedOf, type Recorded } from '../evidence/recordedOf.js'
import { newRequest } from '../evidence/newRequest.js'
import { sampleFor } from '../evidence/sampleFor.js'
import { hiddenOf, messageRecord } from './messageRecord.js'
import { signatureRecord, type EnclaveSignature, type ToRecord, type ToSign } from './signatureRecord.js'

export interface SigningDeps extends ReceiptNames {
  database: DataSource
  entropy: Pick<EntropySupply, 'retire'>
  enclave: Pick<EnclaveClient, 'signTransaction' | 'signMessage'>
  now: () => Date
}

/** Second and last step of `signDigest` and `signMessage`. */
export function createSigningActivities(deps: SigningDeps) {
  function refuseExpired({ expiresAtMs }: ToSign): void {
    if (deps.now().getTime() <= expiresAtMs) return
    throw new ServiceError('request_expired', 'the request waited too long to be signed; send it again')
  }

  return {
    /**
     * The enclave decides whether the request may be signed, from the statement, which the worker cannot make, and the
     * sealed key. Safe to retry: the same request gives the same signature, and each attempt takes a new nonce.
     */
    async signInEnclave(input: ToSign): Promise<EnclaveSignature> {
      refuseExpired(input)
      const { key, entropy, approval } = input
      if (input.kind === 'message') hiddenOf(input)
      else verifyDigest(input.transaction, input.digest)
      const shared = { ...newRequest(input), ...key, entropy, approval }
      const answer = await retireIfReused(deps.entropy, sampleFor(input), entropy, () =>
        input.kind === 'message'
          ? deps.enclave.signMessage({ ...shared, message: input.message, salt: input.salt })
          : deps.enclave.signTransaction({ ...shared, transaction: input.transaction, digest: input.digest }),
      )
      return { nonce: shared.nonce, answer }
    },

    /**
     * Commits the signature, its evidence and the intent to publish, together. Safe to retry, and to run twice at once:
     * the first row for this wallet and request wins, and every caller gets that one.
     */
    async recordSignature(input: ToRecord): Promise<CommittedSignature & { recorded?: Recorded }> {
      refuseExpired(input)
      const facts = newFacts(deps)
      const record = input.kind === 'message' ? messageRecord(input, facts) : signatureRecord(input, facts)
      const row = await ('secret' in record
        ? recordMessage(deps.database, record)
        : recordSignature(deps.database, record))
      const signature = row.signature ?? input.signed.answer.signature
      const committed = { ...row, signature, kind: input.kind, wallet: input.key.address }
      return row.slug === facts.slug ? { ...committed, recorded: recordedOf(record.attestation) } : committed
    },
  }
}

export type SigningActivities = ReturnType<typeof createSigningActivities>
