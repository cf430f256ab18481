import { sha256 } from '@noble/hashes/sha2'
import { ownersHash, type Authorisation } from '../authorisation/index.js'
import { canonicalJson, fromHex, toHex, type Hex, type UnixSeconds } from '../bytes/index.js'
import type { EntropySample } from '../entropy/index.js'
import { transactionDigest, transactionHash, type TxMetadata } from '../transaction/index.js'
import { addressOfPublicKey, keyIdOf } from './addressOfPublicKey.js'
import { isSimulated } from './anchors/vendorRoots.js'
import type {
  AnyReceipt,
  AttestationReceiptV1,
  BirthAuthorisation,
  BirthReceiptV1,
  CoordinatorPart,
  MessageReceiptV1,
  ReceiptParts,
  SignerEvidence,
  SigningEvidence,
} from './AnyReceipt.js'
import { parseBirth, parseMessageReceipt, parseReceipt } from './schema/parseReceipt.js'

// The inputs are everything in a receipt that cannot be computed from the rest of it. The same input gives the same bytes, and
// so the same CID. Each receipt is parsed before it is returned: never publish one that our own verifier cannot read.

/** What every receipt is built from, beside what it is about. */
export interface PartsInput {
  /** When the record was made. Taken from the record, so that a rebuilt receipt has the same CID. */
  issuedAt: string
  signer: Omit<SignerEvidence, 'kind'>
  coordinator: Omit<CoordinatorPart, 'kind' | 'reportHash'>
  entropy: EntropySample
  publication: { chainId: number; contract: Hex }
  trustAnchorsCid: string
  /** Address of `docs/receipt-v1.md` and of instructions to verify, where this service publishes them. */
  spec: string
  instructions: string
}

/** What the receipt of every signature is built from. */
interface SignatureInput extends PartsInput {
  signer: Omit<SigningEvidence, 'kind' | 'address'>
  authorisation: Authorisation
}

export interface ReceiptInput extends SignatureInput {
  transaction: TxMetadata
  signature: Hex
}

interface MessageInput extends SignatureInput {
  message: Omit<MessageReceiptV1['message'], 'from'>
}

interface BirthInput extends PartsInput {
  key: { publicKey: Hex; sealedKeyHash: Hex; createdAt: UnixSeconds }
  authorisation: BirthAuthorisation
}

/** The receipt of one signed transaction. */
export function buildReceipt(input: ReceiptInput): AttestationReceiptV1 {
  const { transaction, signature, authorisation } = input
  const signer = signingEvidence(input)
  const receipt: AttestationReceiptV1 = {
    version: 'perigee-receipt/1',
    ...buildParts(input),
    transaction: {
      ...transaction,
      type: 'eip1559',
      to: lower(transaction.to),
      data: lower(transaction.data),
      from: signer.address,
      digest: transactionDigest(transaction),
      txHash: transactionHash(transaction, signature),
      signature: lower(signature),
    },
    signer,
    authorisation,
  }
  return parseReceipt(receiptBytes(receipt))
}

/** The receipt of one signed message. */
export function buildMessageReceipt(input: MessageInput): MessageReceiptV1 {
  const { message, authorisation } = input
  const signer = signingEvidence(input)
  const receipt: MessageReceiptV1 = {
    version: 'perigee-message/1',
    ...buildParts(input),
    message: { ...message, from: signer.address },
    signer,
    authorisation,
  }
  return parseMessageReceipt(receiptBytes(receipt))
}

/** The receipt of one key's creation. */
export function buildBirth(input: BirthInput): BirthReceiptV1 {
  const { key, signer, authorisation } = input
  const birth: BirthReceiptV1 = {
    version: 'perigee-birth/1',
    ...buildParts(input),
    key: {
      ...key,
      keyId: keyIdOf(key.publicKey),
      address: addressOfPublicKey(key.publicKey),
      ownersHash: ownersHash(authorisation.owners),
      subject: authorisation.statement.subject,
    },
    signer: { kind: 'tdx-enclave', ...signer },
    authorisation,
  }
  return parseBirth(receiptBytes(birth))
}

/** The RFC 8785 bytes of a receipt: what is pinned, and what the CID names. */
export function receiptBytes(receipt: AnyReceipt): Uint8Array {
  return new TextEncoder().encode(canonicalJson(receipt))
}

function buildParts(input: PartsInput): ReceiptParts {
  const { spec, issuedAt, signer, entropy, instructions, trustAnchorsCid, publication } = input
  const { report, vek, intermediate, rootFingerprint, identity, nonce, fetchedAt, expiresAt } = input.coordinator
  const shown = { vek, intermediate, rootFingerprint, identity, nonce, fetchedAt, expiresAt } // a record may hold more
  const reportHash = toHex(sha256(fromHex(report)))
  const coordinator: CoordinatorPart = { kind: 'sev-snp', report, reportHash, ...shown }
  return {
    spec,
    issuedAt,
    simulated: isSimulated({ signer, coordinator, entropy }),
    coordinator,
    entropy,
    verification: {
      instructions,
      trustAnchorsCid,
      publication: { chainId: publication.chainId, contract: lower(publication.contract) },
    },
  }
}

function signingEvidence({ signer }: SignatureInput): SigningEvidence {
  return { kind: 'tdx-enclave', ...signer, address: addressOfPublicKey(signer.publicKey) }
}

/** Addresses and call data come from users and operators, who may write them in either case. */
const lower = (hex: Hex) => hex.toLowerCase() as Hex
