import type { Hex } from '@perigee/core'
import type { CreateKeyAnswer } from '@perigee/core/enclave'
import type { EntropySample } from '@perigee/core/entropy'
import { birthHash } from '@perigee/core/receipt'
import type { ProvisionWalletInput } from '@perigee/core/workflow'
import { hashOfBytes } from '../../clients/enclave/keyEvidence.js'
import type { BirthRecord } from '../../database/index.js'
import { attestationOf, trustAnchorsBundle, type RecordFacts } from '../evidence/attestationOf.js'
import type { VerifiedQuote } from '../evidence/requireVerified.js'

export interface ToCreate extends ProvisionWalletInput {
  entropy: EntropySample
}

/** A key with its evidence. The sealed key can be opened only inside an enclave, so it may pass through history. */
export interface NewKey {
  nonce: Hex
  answer: CreateKeyAnswer
}

export interface ToRecordWallet extends ToCreate {
  key: NewKey
  verified: VerifiedQuote
}

/** The records of one wallet and its birth: everything its birth receipt will say, fixed now. */
export function birthRecord(input: ToRecordWallet, facts: RecordFacts & { walletId: string }): BirthRecord {
  const { userId, owned, entropy, verified, coordinator, statement } = input
  const { nonce, answer } = input.key
  const { keyId, address, publicKey, sealedKey } = answer
  const [owners, approval] = [owned?.owners ?? null, owned?.approval ?? null]
  const request = { entropy, nonce, coordinator, statement, owners, approval }
  return {
    wallet: {
      id: facts.walletId,
      userId,
      keyId,
      address,
      publicKey,
      sealedKey,
      subject: statement.subject,
      owners,
      since: owned ? 'creation' : null,
      credentials: owned?.credentials ?? [],
      createdAt: facts.now.toISOString(),
    },
    proof: { slug: facts.slug, txHash: birthHash(address), chainId: facts.anchors.publication.chainId },
    attestation: {
      ...attestationOf({ kind: 'create', request, answer }, verified, facts),
      policy: null,
      sealedKeyHash: hashOfBytes(sealedKey),
      authorisation: { statement, owners, approval },
    },
    bundles: [trustAnchorsBundle(facts)],
  }
}
