import { createHash } from 'node:crypto'
import { fromHex, toHex, type Hex } from '@perigee/core'
import type { CreateKeyAnswer } from '@perigee/core/enclave'
import type { EntropySample } from '@perigee/core/entropy'
import { birthHash } from '@perigee/core/receipt'
import type { ProvisionWalletInput } from '@perigee/core/workflow'
import type { BirthRecord } from '../../database/index.js'
import { attestationOf, trustAnchorsBundle, type ReceiptNames } from '../evidence/attestationOf.js'
import type { VerifiedQuote } from '../evidence/createQuoteActivities.js'

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

/** Values that are chosen when the wallet is recorded. */
interface RecordFacts extends ReceiptNames {
  walletId: string
  slug: string
  now: Date
}

/** The records of one wallet and its birth: everything its birth receipt will say, fixed now. */
export function birthRecord(input: ToRecordWallet, facts: RecordFacts): BirthRecord {
  const { userId, owned, entropy, verified, coordinator, statement } = input
  const { nonce, answer } = input.key
  const { keyId, address, publicKey, sealedKey } = answer
  const [owners, approval] = [owned?.owners ?? null, owned?.approval ?? null]
  const issuedAt = facts.now.toISOString()
  const attested = { answer, nonce, madeAt: answer.createdAt, verified, coordinator, entropy, issuedAt }
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
      createdAt: issuedAt,
    },
    proof: { slug: facts.slug, txHash: birthHash(address), chainId: facts.anchors.publication.chainId },
    attestation: {
      ...attestationOf(attested, facts),
      policy: null,
      sealedKeyHash: toHex(createHash('sha256').update(fromHex(sealedKey)).digest()),
      authorisation: { statement, owners, approval },
    },
    bundles: [trustAnchorsBundle(facts)],
  }
}
