import type { Hex, UnixSeconds } from '../bytes/index.js'
import type { AttestationReceiptV1 } from './AttestationReceiptV1.js'
import { birthHash } from './birthHash.js'
import type { BirthReceiptV1 } from './BirthReceiptV1.js'
import type { MessageReceiptV1 } from './MessageReceiptV1.js'

/** What a receipt may be about. */
export type ReceiptKind = 'transaction' | 'birth' | 'message'

export type AnyReceipt = AttestationReceiptV1 | BirthReceiptV1 | MessageReceiptV1

/** What a receipt is about, in the words that all kinds share. */
export interface ReceiptSubject {
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
  if (receipt.version === 'perigee-message/1') {
    const { from: wallet, commitment: txHash } = receipt.message
    return { kind: 'message', what: 'signature', wallet, txHash, chainId: 0, madeAt: receipt.signer.signedAt }
  }
  const { from: wallet, txHash, chainId } = receipt.transaction
  return { kind: 'transaction', what: 'signature', wallet, txHash, chainId, madeAt: receipt.signer.signedAt }
}
