import { sha256 } from '@noble/hashes/sha2'
import { encodeBinding } from '../binding/index.js'
import { fromHex, toHex, type Hex, type UnixSeconds } from '../bytes/index.js'
import type { AnyReceipt, ReceiptKind } from './AnyReceipt.js'

/** What a receipt is about, in the words that all kinds share. */
interface ReceiptSubject {
  kind: ReceiptKind
  /** For people. */
  what: 'signature' | 'key'
  wallet: Hex
  /** Of the event: the transaction's, `birthHash`, or a message's commitment. */
  txHash: Hex
  /** Of the transaction; of a birth, that of its event; 0 of a message: the receipt does not show whether it names a chain. */
  chainId: number
  /** The enclave's clock when it signed, or made the key. */
  madeAt: UnixSeconds
}

export function subjectOf(receipt: AnyReceipt): ReceiptSubject {
  if (receipt.version === 'perigee-birth/1') {
    const { address: wallet, createdAt: madeAt } = receipt.key
    const { chainId } = receipt.verification.publication
    return { kind: 'birth', what: 'key', wallet, txHash: birthHash(wallet), chainId, madeAt }
  }
  const { signedAt: madeAt } = receipt.signer
  if (receipt.version === 'perigee-message/1') {
    const { from: wallet, commitment: txHash } = receipt.message
    return { kind: 'message', what: 'signature', wallet, txHash, chainId: 0, madeAt }
  }
  const { from: wallet, txHash, chainId } = receipt.transaction
  return { kind: 'transaction', what: 'signature', wallet, txHash, chainId, madeAt }
}

/** Stands in the event where a signing receipt has the transaction's hash: a wallet's birth is found by its address. */
export function birthHash(address: Hex): Hex {
  return toHex(sha256(encodeBinding('perigee.birth.v1', [fromHex(address, 20)])))
}
