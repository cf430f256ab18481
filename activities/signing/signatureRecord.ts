import type { Hex } from '@perigee/core'
import { authorisationOf } from '@perigee/core/authorisation'
import type { SealedKey, SignTransactionAnswer } from '@perigee/core/enclave'
import type { EntropySample } from '@perigee/core/entropy'
import type { SignDigestInput } from '@perigee/core/workflow'
import type { SignatureRecord } from '../../database/index.js'
import { attestationOf, trustAnchorsBundle, type ReceiptNames } from '../evidence/attestationOf.js'
import type { VerifiedQuote } from '../evidence/createQuoteActivities.js'

export interface ToSign extends SignDigestInput {
  entropy: EntropySample
  key: SealedKey
}

/** The enclave's answer, with the nonce that its quote vouches for too. */
export interface EnclaveSignature {
  nonce: Hex
  answer: SignTransactionAnswer
}

export interface ToRecord extends ToSign {
  signed: EnclaveSignature
  verified: VerifiedQuote
}

/** What is added when a signature is recorded. */
interface RecordFacts extends ReceiptNames {
  slug: string
  txHash: Hex
  now: Date
}

/** The records of one signature: everything its receipt will say, fixed now. */
export function signatureRecord(input: ToRecord, facts: RecordFacts): SignatureRecord {
  const { signed, verified, walletId, digest, transaction, entropy, coordinator, statement, approval } = input
  const { nonce, answer } = signed
  const { owners, since } = input.key
  const { slug, txHash } = facts
  const issuedAt = facts.now.toISOString()
  const attested = { answer, nonce, madeAt: answer.signedAt, verified, coordinator, entropy, issuedAt }
  return {
    proof: { slug, walletId, txHash, chainId: transaction.chainId, createdAt: issuedAt },
    transaction: { digest, metadata: transaction, signature: answer.signature },
    attestation: {
      ...attestationOf(attested, facts),
      policy: answer.policy,
      sealedKeyHash: null,
      authorisation: authorisationOf({ statement, approval, owners, since }),
    },
    bundles: [trustAnchorsBundle(facts)],
  }
}
