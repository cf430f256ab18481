import type { ProofPayload } from '../../proof/index.js'
import type { Minted } from './mintReceipt.js'

/** What an honest service answers about a minted receipt. */
export function proofOf({ receipt, evidence }: Pick<Minted, 'receipt' | 'evidence'>, slug: string): ProofPayload {
  const { transaction } = receipt
  return {
    slug,
    kind: 'transaction',
    txHash: transaction.txHash,
    chainId: transaction.chainId,
    walletAddress: transaction.from,
    status: 'complete',
    ipfsCid: evidence.cid,
    ipfsUrl: null,
    onchainTxHash: evidence.events[0]!.transactionHash,
    onchainBlockNumber: evidence.events[0]!.blockNumber,
    kmsQuoteVerified: true,
    receipt,
    createdAt: receipt.issuedAt,
  }
}
