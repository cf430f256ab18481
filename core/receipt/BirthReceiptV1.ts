import type { OwnersApproval, OwnersRecord, SignedStatement } from '../authorisation/index.js'
import type { Hex, UnixSeconds } from '../bytes/index.js'
import type { ReceiptParts, SignerEvidence } from './ReceiptParts.js'

/** The public document about the creation of one key. `docs/receipt-v1.md` describes every field. */
export interface BirthReceiptV1 extends ReceiptParts {
  version: 'perigee-birth/1'
  key: {
    keyId: string
    publicKey: Hex
    address: Hex
    /** SHA-256 of the sealed key. The sealed key itself is not published. */
    sealedKeyHash: Hex
    /** Zeros for a key without owners. */
    ownersHash: Hex
    /** Whose it is: the commitment that signing statements name too. */
    subject: Hex
    /** The enclave's clock. */
    createdAt: UnixSeconds
  }
  signer: SignerEvidence
  /** Who asked for this key, who owns it, and their agreement. REPORTDATA binds statement and approval. */
  authorisation: BirthAuthorisation
}

export interface BirthAuthorisation {
  statement: SignedStatement
  owners: OwnersRecord | null
  approval: OwnersApproval | null
}
