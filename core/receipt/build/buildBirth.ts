import { ownersHash } from '../../authorisation/index.js'
import type { Hex, UnixSeconds } from '../../bytes/index.js'
import type { BirthAuthorisation, BirthReceiptV1 } from '../BirthReceiptV1.js'
import { buildParts, buildSigner, lower, type PartsInput } from './buildParts.js'
import { receiptBytes } from './buildReceipt.js'
import { parseBirth } from '../schema/parseReceipt.js'
import { addressOfPublicKey } from '../addressOfPublicKey.js'
import { keyIdOf } from '../keyIdOf.js'
import type { SignerEvidence } from '../ReceiptParts.js'

/** Everything in a birth receipt that cannot be computed from the rest of it. */
export interface BirthInput extends PartsInput {
  key: { publicKey: Hex; sealedKeyHash: Hex; createdAt: UnixSeconds }
  signer: Omit<SignerEvidence, 'kind'>
  authorisation: BirthAuthorisation
}

/** The receipt of one key's creation. Deterministic: the same input gives the same bytes, and so the same CID. */
export function buildBirth(input: BirthInput): BirthReceiptV1 {
  const { key, signer, authorisation } = input
  const { statement, owners, approval } = authorisation
  const birth: BirthReceiptV1 = {
    version: 'perigee-birth/1',
    ...buildParts(input, signer),
    key: {
      keyId: keyIdOf(key.publicKey),
      publicKey: lower(key.publicKey),
      address: addressOfPublicKey(key.publicKey),
      sealedKeyHash: lower(key.sealedKeyHash),
      ownersHash: ownersHash(owners),
      subject: statement.subject,
      createdAt: key.createdAt,
    },
    signer: buildSigner(signer),
    authorisation: { statement, owners, approval },
  }
  return parseBirth(receiptBytes(birth)) // never publish a receipt that our own verifier cannot read
}
