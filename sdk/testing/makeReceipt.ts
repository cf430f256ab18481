import { keccak256, toHex } from 'viem'
import type { AttestationReceiptV1, Hex, MessageReceiptV1, TxMetadata } from '../types.js'

interface SignedParts {
  address: Hex
  publicKey: Hex
  /** What was asked: the transaction's digest, or the message's `requestHash`. */
  digest: Hex
  signedAt: Date
  /** Which owner approved, for a wallet that has owners. */
  passkey: AttestationReceiptV1['authorisation']['passkey']
}

export interface SignedRecord extends SignedParts {
  transaction: TxMetadata
  signature: Hex
  txHash: Hex
}

export interface SignedMessageRecord extends SignedParts {
  message: MessageReceiptV1['message']
}

/**
 * A receipt of the right shape that claims nothing: `simulated` is true and every piece of hardware evidence is empty,
 * so no verifier will accept it. Transaction and signature are real.
 */
export function makeReceipt(record: SignedRecord, chainId: number, contract: Hex): AttestationReceiptV1 {
  const { address, transaction, digest, signature, txHash } = record
  return {
    version: 'perigee-receipt/1',
    transaction: { ...transaction, type: 'eip1559', from: address, digest, txHash, signature },
    ...parts(record, 'sign-transaction', transaction.chainId, { chainId, contract }),
  }
}

/** The same for a message: it shows commitments, neither content nor signature. */
export function makeMessageReceipt(record: SignedMessageRecord, chainId: number, contract: Hex): MessageReceiptV1 {
  const { message } = record
  const kind = message.scheme === 'eip191' ? 'sign-message' : 'sign-typed-data'
  return { version: 'perigee-message/1', message, ...parts(record, kind, 0, { chainId, contract }) }
}

type Parts = Omit<AttestationReceiptV1, 'version' | 'transaction'>

function parts(
  record: SignedParts,
  kind: Parts['authorisation']['statement']['kind'],
  chainId: number,
  publication: Parts['verification']['publication'],
): Parts {
  const { address, publicKey, digest } = record
  const seconds = Math.floor(record.signedAt.getTime() / 1000)
  const none: Hex = '0x'
  return {
    spec: 'docs/receipt-v1.md',
    issuedAt: record.signedAt.toISOString(),
    simulated: true,
    signer: {
      kind: 'tdx-enclave',
      platform: 'in-memory',
      keyId: 'in-memory',
      publicKey,
      address,
      birthCid: '',
      nonce: keccak256(digest),
      policy: {
        version: 1,
        transactionTypes: ['eip1559'],
        messageSchemes: ['eip191', 'eip712'],
        chainIds: [publication.chainId],
        maxFeePerGas: '0',
        maxFee: '0',
        maxValue: '0',
        entropy: { minimum: 'simulated', maxAgeSeconds: 1 },
        authorisation: 'statement-and-owners',
      },
      signedAt: seconds,
      quote: none,
      runtimeEvents: [],
      collateralCid: '',
      rootFingerprint: none,
      verifiedAt: seconds,
      tcbStatus: 'NotAttested',
      advisoryIds: [],
    },
    coordinator: {
      kind: 'sev-snp',
      report: none,
      reportHash: none,
      vek: none,
      intermediate: none,
      rootFingerprint: none,
      identity: { service: 'in-memory', requestKey: none, publishers: [] },
      nonce: none,
      fetchedAt: seconds,
      expiresAt: seconds,
    },
    authorisation: {
      level: record.passkey ? 'passkey-verified' : 'coordinator-attested',
      statement: {
        kind,
        subject: none,
        address,
        digest,
        chainId,
        issuedAt: seconds,
        expiresAt: seconds,
        authorisationHash: none,
        signature: none,
      },
      passkey: record.passkey,
    },
    entropy: {
      version: 1,
      source: 'in-memory',
      provenance: 'simulated',
      value: keccak256(toHex(`entropy ${digest}`)),
      producedAt: null,
      receivedAt: seconds,
      sequence: null,
      signature: null,
      beacon: null,
    },
    verification: {
      instructions: 'Nothing to verify: made by the in-memory service of @perigee/sdk/testing.',
      trustAnchorsCid: '',
      publication,
    },
  }
}
