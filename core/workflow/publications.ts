import type { Hex } from '../bytes/index.js'
import type { ProofStatus } from '../proof/index.js'
import type { ReceiptKind } from '../receipt/AnyReceipt.js'

export interface PublishReceiptInput {
  kind: ReceiptKind
  slug: string
  /** Of the event: the transaction's, `birthHash` of the wallet, or a message's commitment. */
  txHash: Hex
  wallet: Hex
  chainId: number
  /** A run before this one has ended, or was replaced; what it wrote to the record may be its failure. */
  isRestart?: true
}

/** One line about a publication, for Temporal's list of runs. */
export function summaryOf({ kind, txHash, wallet }: Pick<PublishReceiptInput, 'kind' | 'txHash' | 'wallet'>): string {
  if (kind === 'birth') return `birth of wallet ${wallet.slice(0, 18)}…`
  return `receipt of ${kind === 'message' ? 'message ' : ''}${txHash.slice(0, 18)}…`
}

/** Search attributes, with the types the server must register them under. Plain text there: hashes, CIDs and states only. */
export const searchAttributeTypes = {
  ProofStatus: 'Keyword',
  ProofKind: 'Keyword',
  Wallet: 'Keyword',
  ProofSlug: 'Keyword',
  TxHash: 'Keyword',
  Cid: 'Keyword',
  FailureType: 'Keyword',
  ChainId: 'Int',
} as const

/** As Temporal's `defineSearchAttributeKey` makes it. */
const keyword = (name: keyof typeof searchAttributeTypes) => ({ name, type: 'KEYWORD' as const })
/** Of the attributes that change while a proof is published. */
export const proofKeys = { status: keyword('ProofStatus'), cid: keyword('Cid'), failure: keyword('FailureType') }

/** Attributes a publication starts with. */
export const proofAttributes = ({ kind, slug, txHash, wallet, chainId }: PublishReceiptInput) => [
  { key: proofKeys.status, value: 'pending_pin' satisfies ProofStatus },
  { key: keyword('ProofKind'), value: kind },
  { key: keyword('Wallet'), value: wallet },
  { key: keyword('ProofSlug'), value: slug },
  { key: keyword('TxHash'), value: txHash },
  { key: { name: 'ChainId', type: 'INT' as const }, value: chainId },
]
