import type { Hex } from '../bytes/index.js'
import type { AttestationReceiptV1, BirthReceiptV1, MessageReceiptV1, ReceiptKind } from '../receipt/AnyReceipt.js'

export { attestationPublished } from './attestationPublished.js'

export const proofStatuses = ['pending_pin', 'pending_onchain', 'complete', 'pin_failed', 'onchain_failed'] as const
/**
 * State of a proof. The last three seldom change: a reorg reopens `complete`, an operator moves a failed one on, and
 * `onchain_failed` is also tried again by itself once a transaction of it was mined.
 */
export type ProofStatus = (typeof proofStatuses)[number]

/** True when clients can stop polling. It may still change, as above. */
export function isTerminal(status: ProofStatus): boolean {
  return status === 'complete' || status === 'pin_failed' || status === 'onchain_failed'
}

/** Body of `GET /proof/:slug`: the proof of a signed transaction or message, or of the creation of a wallet's key (its birth). */
export type ProofPayload = TransactionProof | BirthProof | MessageProof

/** The proof of one signed transaction. */
export type TransactionProof = ProofOf<'transaction', AttestationReceiptV1>
/** The proof of the creation of a wallet's key. */
export type BirthProof = ProofOf<'birth', BirthReceiptV1>
/** The proof of one signed message. It shows neither the content nor the signature. */
export type MessageProof = ProofOf<'message', MessageReceiptV1>

/** What every proof has, whatever it is about. */
interface ProofOf<Kind extends ReceiptKind, Receipt> {
  kind: Kind
  receipt: Receipt | null
  slug: string
  /** The hash in the event: the transaction's; `birthHash` of a birth; a message's commitment. */
  txHash: Hex
  /** The transaction's; of a birth, the chain of its event; 0 of a message. */
  chainId: number
  walletAddress: Hex
  status: ProofStatus
  ipfsCid: string | null
  ipfsUrl: string | null
  onchainTxHash: Hex | null
  onchainBlockNumber: number | null
  kmsQuoteVerified: boolean
  createdAt: string
}
