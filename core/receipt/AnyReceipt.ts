import type { Authorisation, OwnersApproval, OwnersRecord, SignedStatement } from '../authorisation/index.js'
import type { Hex, UnixSeconds } from '../bytes/index.js'
import type { EntropySample } from '../entropy/index.js'
import type { RuntimeEvent } from '../measurements/index.js'
import type { MessageScheme } from '../message/index.js'
import type { SigningPolicy } from '../policy/index.js'
import type { TxMetadata } from '../transaction/index.js'

// The public documents. `docs/receipt-v1.md` describes every field.

/** What a receipt may be about. */
export type ReceiptKind = 'transaction' | 'birth' | 'message'

/** The receipt of a signature. */
export type SignatureReceipt = AttestationReceiptV1 | MessageReceiptV1

export type AnyReceipt = SignatureReceipt | BirthReceiptV1

/** The public document about one signed transaction. */
export interface AttestationReceiptV1 extends ReceiptParts {
  version: 'perigee-receipt/1'
  transaction: TxMetadata & { type: 'eip1559'; from: Hex; digest: Hex; txHash: Hex; signature: Hex }
  signer: SigningEvidence
  /** Who asked for this signature. REPORTDATA binds its hash. */
  authorisation: Authorisation
}

/**
 * The public document about one signed message. It shows neither the message nor the signature, because both together are
 * a credential: a sign-in, a permit.
 */
export interface MessageReceiptV1 extends ReceiptParts {
  version: 'perigee-message/1'
  message: {
    scheme: MessageScheme
    /** The wallet. */
    from: Hex
    /** Commits to the content: what the statement and the passkey cover. */
    requestHash: Hex
    /** Commits to content and signature. The event names it where a transaction has its hash. */
    commitment: Hex
  }
  signer: SigningEvidence
  /** Who asked for this signature. REPORTDATA binds its hash. */
  authorisation: Authorisation
}

/** The public document about the creation of one key. */
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

/** What every receipt has, whatever it is about. */
export interface ReceiptParts {
  /** Link to the description of this format. */
  spec: string
  issuedAt: string
  /** True when any hardware in this receipt was simulated: it then proves nothing about hardware. */
  simulated: boolean
  coordinator: CoordinatorPart
  entropy: EntropySample
  verification: {
    instructions: string
    /** The trust anchors our own check used, for convenience. A verifier uses its own. */
    trustAnchorsCid: string
    /** Where the event that names this receipt will appear: not always the chain of the transaction. */
    publication: { chainId: number; contract: Hex }
  }
}

/** The enclave's quote, and what is needed to verify it. */
export interface SignerEvidence {
  kind: 'tdx-enclave'
  platform: string
  nonce: Hex
  quote: Hex
  /** What was measured into RTMR3 since the machine started, so that it can be replayed. */
  runtimeEvents: RuntimeEvent[]
  collateralCid: string
  /** SHA-256 of the DER of the root that our own check used. A verifier uses its own. */
  rootFingerprint: Hex
  verifiedAt: UnixSeconds
  tcbStatus: string
  advisoryIds: string[]
}

/** The same about a signature, with the key that made it. */
export interface SigningEvidence extends SignerEvidence {
  keyId: string
  publicKey: Hex
  address: Hex
  /** CID of the receipt of the key's creation. */
  birthCid: string
  /** What the enclave signs. The quote binds its hash, and what was signed is within it. */
  policy: SigningPolicy
  signedAt: UnixSeconds
}

export interface CoordinatorPart {
  kind: 'sev-snp'
  report: Hex
  reportHash: Hex
  /** DER certificates: the chip's key and its intermediate. The verifier has the root. */
  vek: Hex
  intermediate: Hex
  rootFingerprint: Hex
  /** What REPORT_DATA binds: SHA-512 over `perigee.coordinator.v1`, the canonical identity, nonce and expiry. */
  identity: { service: string; requestKey: Hex; publishers: Hex[] }
  nonce: Hex
  fetchedAt: UnixSeconds
  /** Bound too: nothing that the coordinator states is believed after this second by means of this report. */
  expiresAt: UnixSeconds
}
