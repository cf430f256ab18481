import type { Authorisation } from '../../authorisation/index.js'
import { canonicalJson, type Hex } from '../../bytes/index.js'
import { transactionDigest, transactionHash, type TxMetadata } from '../../transaction/index.js'
import type { AnyReceipt } from '../AnyReceipt.js'
import type { AttestationReceiptV1 } from '../AttestationReceiptV1.js'
import { buildParts, buildSigner, lower, type PartsInput } from './buildParts.js'
import { parseReceipt } from '../schema/parseReceipt.js'
import { addressOfPublicKey } from '../addressOfPublicKey.js'

/** Everything in a receipt that cannot be computed from the rest of it. */
export interface ReceiptInput extends PartsInput {
  transaction: TxMetadata
  signature: Hex
  signer: Omit<AttestationReceiptV1['signer'], 'kind' | 'address'>
  authorisation: Authorisation
}

/** The receipt of one signature. Deterministic: the same input gives the same bytes, and so the same CID. */
export function buildReceipt(input: ReceiptInput): AttestationReceiptV1 {
  const { transaction: tx, signature, signer } = input
  const address = addressOfPublicKey(signer.publicKey)
  const receipt: AttestationReceiptV1 = {
    version: 'perigee-receipt/1',
    ...buildParts(input, signer),
    transaction: {
      type: 'eip1559',
      chainId: tx.chainId,
      nonce: tx.nonce,
      to: lower(tx.to),
      value: tx.value,
      data: lower(tx.data),
      gas: tx.gas,
      maxFeePerGas: tx.maxFeePerGas,
      maxPriorityFeePerGas: tx.maxPriorityFeePerGas,
      from: address,
      digest: transactionDigest(tx),
      txHash: transactionHash(tx, signature),
      signature: lower(signature),
    },
    signer: buildSigningSigner(signer),
    authorisation: input.authorisation,
  }
  return parseReceipt(receiptBytes(receipt)) // never publish a receipt that our own verifier cannot read
}

/** The member `signer` of every receipt of a signature. */
export function buildSigningSigner(signer: ReceiptInput['signer']): AttestationReceiptV1['signer'] {
  return {
    ...buildSigner(signer),
    keyId: signer.keyId,
    publicKey: lower(signer.publicKey),
    address: addressOfPublicKey(signer.publicKey),
    birthCid: signer.birthCid,
    policy: signer.policy,
    signedAt: signer.signedAt,
  }
}

/** The RFC 8785 bytes of a receipt: what is pinned, and what the CID names. */
export function receiptBytes(receipt: AnyReceipt): Uint8Array {
  return new TextEncoder().encode(canonicalJson(receipt))
}
