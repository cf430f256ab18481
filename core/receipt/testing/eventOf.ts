import type { UnixSeconds } from '../../bytes/index.js'
import { subjectOf } from '../subjectOf.js'
import type { AnyReceipt } from '../AnyReceipt.js'
import type { PublishedEvent } from '../verify/index.js'

/** The event that would name a receipt, in a block eight seconds after the signature unless another time is given. */
export function eventOf(receipt: AnyReceipt, ipfsCid: string, blockTimestamp?: UnixSeconds): PublishedEvent {
  const { chainId, contract } = receipt.verification.publication
  const { kind, wallet, txHash, madeAt } = subjectOf(receipt)
  return {
    chainId,
    contract,
    wallet,
    txHash,
    ipfsCid,
    transactionHash: `0x${'0b'.repeat(32)}`,
    blockNumber: kind === 'birth' ? 5 : 12,
    blockTimestamp: blockTimestamp ?? madeAt + 8,
    confirmations: 3,
  }
}
