import type { ProofPayload } from '../../proof/index.js'
import type { AnyReceipt } from '../AnyReceipt.js'
import { subjectOf } from '../subjectOf.js'
import type { MintedEvidence } from './evidenceOf.js'

/** What an honest service answers about a minted receipt. */
export function proofOf(
  { receipt, evidence }: { receipt: AnyReceipt; evidence: MintedEvidence },
  slug: string,
): ProofPayload {
  const { kind, txHash, chainId, wallet } = subjectOf(receipt)
  return {
    slug,
    kind,
    txHash,
    chainId,
    walletAddress: wallet,
    status: 'complete',
    ipfsCid: evidence.cid,
    ipfsUrl: null,
    onchainTxHash: evidence.events[0]!.transactionHash,
    onchainBlockNumber: evidence.events[0]!.blockNumber,
    kmsQuoteVerified: true,
    receipt,
    createdAt: receipt.issuedAt,
  } as ProofPayload // kind and receipt are of one
}
