import { keccak256, toHex } from 'viem'
import type { AttestationReceiptV1, Hex, TxMetadata } from '../types.js'

export interface SignedRecord {
  address: Hex
  publicKey: Hex
  transaction: TxMetadata
  digest: Hex
  signature: Hex
  txHash: Hex
  signedAt: Date
  /** Which owner approved, for a wallet that has owners. */
  passkey: AttestationReceiptV1['authorisation']['passkey']
}

/**
 * A receipt of the right shape that claims nothing: `simulated` is true and every piece of hardware evidence is empty,
 * so no verifier will accept it. Transaction and signature are real.
 */
export function makeReceipt(record: SignedRecord, contract: Hex): AttestationReceiptV1 {
  const { address, publicKey, transaction, digest, signature, txHash } = record
  const seconds = Math.floor(record.signedAt.getTime() / 1000)
  const none: Hex = '0x'
  return {
    version: 'perigee-receipt/1',
    spec: 'docs/receipt-v1.md',
    issuedAt: record.signedAt.toISOString(),
    simulated: true,
    transaction: { ...transaction, type: 'eip1559', from: address, digest, txHash, signature },
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
        chainIds: [transaction.chainId],
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
        kind: 'sign-transaction',
        subject: none,
        address,
        digest,
        chainId: transaction.chainId,
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
      publication: { chainId: transaction.chainId, contract },
    },
  }
}
