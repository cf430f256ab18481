import { transactionHash, type Hex } from '@perigee/core'
import { authorisationOf } from '@perigee/core/authorisation'
import type { SealedKey, SignTransactionAnswer } from '@perigee/core/enclave'
import type { EntropySample } from '@perigee/core/entropy'
import type { SigningRequest } from '@perigee/core/workflow'
import type { QuotedSignature } from '../../clients/enclave/EvidenceVerifier.js'
import type { ProvenRecord, SignatureRecord } from '../../database/index.js'
import { attestationOf, trustAnchorsBundle, type RecordFacts } from '../evidence/attestationOf.js'
import type { VerifiedQuote } from '../evidence/requireVerified.js'

export type ToSign = SigningRequest & { entropy: EntropySample; key: SealedKey }

/** The enclave's answer, with the nonce that its quote vouches for too. */
export interface EnclaveSignature {
  nonce: Hex
  answer: SignTransactionAnswer
}

export type ToRecord = ToSign & { signed: EnclaveSignature; verified: VerifiedQuote }

/** The records of one signature: everything its receipt will say, fixed now. */
export function signatureRecord(input: ToRecord & { kind: 'transaction' }, facts: RecordFacts): SignatureRecord {
  const { digest, transaction } = input
  const { signature } = input.signed.answer
  const event = { txHash: transactionHash(transaction, signature), chainId: transaction.chainId }
  return { ...provenRecord(input, event, facts), transaction: { digest, metadata: transaction, signature } }
}

/** The part that does not depend on what was signed. */
export function provenRecord(
  input: ToRecord,
  event: Pick<ProvenRecord['proof'], 'txHash' | 'chainId'>,
  facts: RecordFacts,
): ProvenRecord {
  const { signed, verified, walletId, statement, approval } = input
  const { owners, since } = input.key
  return {
    proof: { slug: facts.slug, walletId, ...event, createdAt: facts.now.toISOString() },
    attestation: {
      ...attestationOf(quotedIn(input), verified, facts),
      policy: signed.answer.policy,
      sealedKeyHash: null,
      authorisation: authorisationOf({ statement, approval, owners, since }),
    },
    bundles: [trustAnchorsBundle(facts)],
  }
}

/** What `signAndPublish` had verified. */
function quotedIn({ entropy, key, signed, verified: _, ...request }: ToRecord): QuotedSignature {
  const { sealedKey: __, ...names } = key
  return { kind: 'sign', request: { ...request, ...names, entropy, nonce: signed.nonce }, answer: signed.answer }
}
