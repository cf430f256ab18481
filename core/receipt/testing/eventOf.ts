import { subjectOf, type AnyReceipt } from '../AnyReceipt.js'
import type { PublishedEvent } from '../verify/index.js'

/** The event that would name a receipt, in a block seven seconds after it was issued. */
export function eventOf(receipt: AnyReceipt, ipfsCid: string): PublishedEvent {
  const { chainId, contract } = receipt.verification.publication
  const { kind, wallet, txHash } = subjectOf(receipt)
  return {
    chainId,
    contract,
    wallet,
    txHash,
    ipfsCid,
    transactionHash: `0x${'0b'.repeat(32)}`,
    blockNumber: kind === 'birth' ? 5 : 12,
    blockTimestamp: Math.floor(Date.parse(receipt.issuedAt) / 1000) + 7,
    confirmations: 3,
  }
}
