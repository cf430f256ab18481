import { subjectOf, type AnyReceipt } from '@perigee/core/receipt'
import type { PublishedEvent } from '@perigee/core/receipt/verify'
import type { ShownProof } from './ShownProof.js'

/** What a receipt's own bytes say: `stored` when only their hash was compared, or `verified` with its event. */
export function receiptProof(receipt: AnyReceipt, cid: string, verifiedEvent?: PublishedEvent): ShownProof {
  const { kind, wallet, chainId, txHash } = subjectOf(receipt)
  const { contract } = receipt.verification.publication
  return {
    standing: verifiedEvent ? 'verified' : 'stored',
    kind,
    status: verifiedEvent ? 'complete' : 'pending_onchain',
    walletAddress: wallet,
    chainId,
    txHash,
    createdAt: receipt.issuedAt,
    onchainBlockNumber: verifiedEvent?.blockNumber ?? null,
    cid,
    receipt,
    event: verifiedEvent ?? null,
    contract: verifiedEvent?.contract ?? contract,
    checkedByService: null,
  }
}
