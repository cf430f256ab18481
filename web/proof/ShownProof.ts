import type { AnyReceipt, ReceiptKind } from '@perigee/core/receipt'
import type { PublishedEvent } from '@perigee/core/receipt/verify'
import type { ProofPayload } from '@perigee/sdk'

/**
 * Who vouches for the shown values: `claimed` by the service, `stored` on IPFS under this CID, `verified` by this
 * browser, or one of the first two and then `refused` by it.
 */
export type Standing = 'claimed' | 'stored' | 'verified' | 'refused'

/** What the pages show of a proof. */
export interface ShownProof extends Pick<
  ProofPayload,
  'status' | 'walletAddress' | 'chainId' | 'txHash' | 'createdAt' | 'onchainBlockNumber'
> {
  standing: Standing
  kind: ReceiptKind
  cid: string | null
  receipt: AnyReceipt | null
  event: Pick<PublishedEvent, 'chainId' | 'transactionHash'> | null
  contract: string | null
  /** Whether the service says that it checked the quote. Null where its word is not asked for. */
  checkedByService: boolean | null
}

/** The service's answer. Nothing of it has been compared with anything. */
export function claimedProof(proof: ProofPayload): ShownProof {
  const publication = proof.receipt?.verification?.publication
  const { kind, status, walletAddress, chainId, txHash, createdAt, onchainBlockNumber, onchainTxHash } = proof
  return {
    standing: 'claimed',
    kind,
    status,
    walletAddress,
    chainId,
    txHash,
    createdAt,
    onchainBlockNumber,
    cid: proof.ipfsCid,
    receipt: proof.receipt,
    // The event may be on another chain than the transaction: the receipt says which.
    event: onchainTxHash && { chainId: publication?.chainId ?? chainId, transactionHash: onchainTxHash },
    contract: publication?.contract ?? null,
    checkedByService: proof.kmsQuoteVerified,
  }
}
