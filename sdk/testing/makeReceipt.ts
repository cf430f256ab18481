import { keccak256, toHex } from 'viem'
import type { AttestationReceiptV1, Hex, MessageReceiptV1, TxMetadata } from '../types.js'
import { rawCid } from './rawCid.js'

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
 * A receipt of the right shape that claims nothing: `simulated` is true and every piece of hardware evidence is empty or zeros,
 * so no verifier will accept it. Transaction and signature are real.
 */
export function makeReceipt(record: SignedRecord, chainId: number, contract: Hex): AttestationReceiptV1 {
  const { transaction, digest, signature, txHash } = record
  const [from, to] = [lower(record.address), lower(transaction.to)]
  return {
    version: 'perigee-receipt/1',
    transaction: { ...transaction, to, type: 'eip1559', from, digest, txHash, signature },
    ...parts(record, 'sign-transaction', transaction.chainId, { chainId, contract }),
  }
}

/** The same for a message: it shows commitments, neither content nor signature. */
export function makeMessageReceipt(record: SignedMessageRecord, chainId: number, contract: Hex): MessageReceiptV1 {
  const message = { ...record.message, from: lower(record.message.from) }
  const kind = message.scheme === 'eip191' ? 'sign-message' : 'sign-typed-data'
  return { version: 'perigee-message/1', message, ...parts(record, kind, 0, { chainId, contract }) }
}

/** The canonical text of a receipt (RFC 8785: members in order, no spaces), whose bytes its CID names. */
export function receiptText(receipt: AttestationReceiptV1 | MessageReceiptV1): string {
  return JSON.stringify(receipt, (_, value: unknown) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
    return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
  })
}

const lower = (hex: Hex) => hex.toLowerCase() as Hex
/** Of an uncompressed key: x, and whether y is odd. */
const compressed = (key: Hex): Hex => `0x0${2 + (Number.parseInt(key.slice(-1), 16) % 2)}${key.slice(4, 68)}`
const zeros = (bytes: number): Hex => `0x${'00'.repeat(bytes)}`

type Parts = Omit<AttestationReceiptV1, 'version' | 'transaction'>

function parts(
  record: SignedParts,
  kind: Parts['authorisation']['statement']['kind'],
  chainId: number,
  publication: Parts['verification']['publication'],
): Parts {
  const { digest } = record
  const [address, publicKey] = [lower(record.address), compressed(record.publicKey)]
  const seconds = Math.floor(record.signedAt.getTime() / 1000)
  const none: Hex = '0x'
  const nothing = rawCid(new Uint8Array())
  return {
    spec: 'https://perigee.invalid/receipt-v1',
    issuedAt: record.signedAt.toISOString(),
    simulated: true,
    signer: {
      kind: 'tdx-enclave',
      platform: 'in-memory',
      keyId: 'in-memory',
      publicKey,
      address,
      birthCid: nothing,
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
      collateralCid: nothing,
      rootFingerprint: zeros(32),
      verifiedAt: seconds,
      tcbStatus: 'NotAttested',
      advisoryIds: [],
    },
    coordinator: {
      kind: 'sev-snp',
      report: zeros(1184),
      reportHash: zeros(32),
      vek: none,
      intermediate: none,
      rootFingerprint: zeros(32),
      identity: { service: 'in-memory', requestKey: zeros(33), publishers: [] },
      nonce: zeros(32),
      fetchedAt: seconds,
      expiresAt: seconds,
    },
    authorisation: {
      level: record.passkey ? 'passkey-verified' : 'coordinator-attested',
      statement: {
        kind,
        subject: zeros(32),
        address,
        digest,
        chainId,
        issuedAt: seconds,
        expiresAt: seconds,
        authorisationHash: zeros(32),
        signature: zeros(64),
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
      instructions: 'https://perigee.invalid/made-by-the-in-memory-service-of-sdk-testing',
      trustAnchorsCid: nothing,
      publication,
    },
  }
}
