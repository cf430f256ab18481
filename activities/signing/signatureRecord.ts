import type { Hex } from '@perigee/core'
import { authorisationOf } from '@perigee/core/authorisation'
import type { SealedKey, SignTransactionAnswer } from '@perigee/core/enclave'
import { entropyWitnessHash, type EntropySample } from '@perigee/core/entropy'
import type { SignDigestInput } from '@perigee/core/workflow'
import type { ReceiptAnchors, SignatureRecord } from '../../database/index.js'
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
interface RecordFacts {
  transactionId: string
  slug: string
  txHash: Hex
  anchors: ReceiptAnchors
  trustAnchors: { cid: string; bytes: Uint8Array }
  now: Date
}

/** The two records of one signature: everything its receipt will say, fixed now. */
export function signatureRecord(input: ToRecord, facts: RecordFacts): SignatureRecord {
  const { signed, verified, transaction, entropy, coordinator, statement, approval } = input
  const { answer } = signed
  const { owners, since } = input.key
  const at = facts.now.toISOString()
  const { simulated: evidenceSimulated, ...verdict } = verified
  return {
    transaction: {
      id: facts.transactionId,
      walletId: input.walletId,
      digest: input.digest,
      chainId: transaction.chainId,
      metadata: transaction,
      signature: answer.signature,
      txHash: facts.txHash,
      slug: facts.slug,
      createdAt: at,
    },
    attestation: {
      ...verdict,
      transactionId: facts.transactionId,
      platform: answer.platform,
      simulated: evidenceSimulated || entropy.provenance === 'simulated',
      quote: answer.quote,
      runtimeEvents: answer.runtimeEvents,
      nonce: signed.nonce,
      policy: answer.policy,
      signedAt: answer.signedAt,
      trustAnchorsCid: facts.trustAnchors.cid,
      quoteVerified: true,
      coordinator,
      authorisation: authorisationOf({ statement, approval, owners, since }),
      entropy,
      entropyHash: entropyWitnessHash(entropy),
      anchors: facts.anchors,
      issuedAt: at,
    },
    bundles: [{ cid: facts.trustAnchors.cid, kind: 'trust-anchors', bytes: facts.trustAnchors.bytes }],
  }
}
