import type { DataSource } from 'typeorm'
import { ServiceError, verifySigner, type Hex } from '@perigee/core'
import { entropyWitnessHash } from '@perigee/core/entropy'
import { subjectOf, type AttestationReceiptV1, type MessageReceiptV1 } from '@perigee/core/receipt'
import { recoverAddress } from '../../clients/enclave/secp256k1.js'
import {
  findSigner,
  MessageEntity,
  recordMessage,
  recordSignature,
  type MessageRecord,
  type SignatureRecord,
} from '../../database/index.js'

type SigningReceipt = AttestationReceiptV1 | MessageReceiptV1

/** What a record has beside its attestation, as its receipt gives it back. */
interface PublishedRecord {
  kind: 'transaction' | 'message'
  chainId: number
  transaction: SignatureRecord['transaction'] | null
  /** The proof of the same request, where it was signed again since. */
  findAgain(database: DataSource, walletId: string): Promise<string | null>
  record(database: DataSource, proven: Omit<MessageRecord, 'message' | 'secret'>): Promise<{ slug: string }>
}

/** Throws unless the receipt is about what its event says and, where it shows a signature, the wallet's. */
export async function publishedRecord(receipt: SigningReceipt, wallet: Hex, txHash: Hex): Promise<PublishedRecord> {
  const found = subjectOf(receipt)
  if (found.wallet !== wallet || found.txHash !== txHash) {
    throw new ServiceError('claim_mismatch', 'the receipt is about something else than its event says')
  }
  return receipt.version === 'perigee-message/1' ? messageRecord(receipt) : transactionRecord(receipt)
}

async function transactionRecord({ transaction: shown }: AttestationReceiptV1): Promise<PublishedRecord> {
  const { type: _, from, digest, txHash: __, signature, ...metadata } = shown
  await verifySigner(metadata, signature, from, recoverAddress)
  const transaction = { digest, metadata, signature }
  return {
    kind: 'transaction',
    chainId: metadata.chainId,
    transaction,
    findAgain: async (database, walletId) => (await findSigner(database, walletId, digest))?.signed?.slug ?? null,
    record: (database, proven) => recordSignature(database, { ...proven, transaction }),
  }
}

/** Without its signature, which nobody but the caller has: when the caller asks again, the same one is made again. */
function messageRecord({ message: { requestHash, scheme } }: MessageReceiptV1): PublishedRecord {
  return {
    kind: 'message',
    chainId: 0,
    transaction: null,
    findAgain: async (database, walletId) =>
      (await database.getRepository(MessageEntity).findOneBy({ walletId, requestHash }))?.slug ?? null,
    record: (database, proven) =>
      recordMessage(database, { ...proven, message: { requestHash, scheme }, secret: null }),
  }
}

/** The attestation of a signature, as its receipt shows it. */
export function attestationIn(receipt: SigningReceipt): SignatureRecord['attestation'] {
  const { signer, coordinator, authorisation, entropy, verification, issuedAt } = receipt
  return {
    platform: signer.platform,
    simulated: receipt.simulated,
    quote: signer.quote,
    runtimeEvents: signer.runtimeEvents,
    nonce: signer.nonce,
    madeAt: signer.signedAt,
    collateralCid: signer.collateralCid,
    trustAnchorsCid: verification.trustAnchorsCid,
    rootFingerprint: signer.rootFingerprint,
    verifiedAt: signer.verifiedAt,
    tcbStatus: signer.tcbStatus,
    advisoryIds: signer.advisoryIds,
    quoteVerified: true,
    coordinator,
    entropy,
    entropyHash: entropyWitnessHash(entropy),
    anchors: { spec: receipt.spec, instructions: verification.instructions, publication: verification.publication },
    issuedAt,
    policy: signer.policy,
    sealedKeyHash: null,
    authorisation,
  }
}
