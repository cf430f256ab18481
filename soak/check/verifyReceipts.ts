import { verifyReceipt, type PublishedEvent } from '@perigee/core/receipt/verify'
import type { Evidence, Violation } from './Evidence.js'

/** The same as `npm run verify -- <bundle> --offline` for every receipt, in this process. */
export async function verifyReceipts(evidence: Evidence): Promise<Violation[]> {
  const { records, events, bundles, anchors, contract, head } = evidence
  const bytesOf = (base64: string) => new Uint8Array(Buffer.from(base64, 'base64'))
  const { announcements, lists } = evidence.releases
  const releases = { announcements, lists: lists.map(bytesOf) }
  const now = Math.floor(Date.now() / 1000)
  const byTransaction = new Map<string, PublishedEvent[]>()
  for (const { wallet, txHash, cid, transactionHash, blockNumber, blockTimestamp } of events) {
    const event: PublishedEvent = {
      chainId: contract.chainId,
      contract: contract.address,
      wallet,
      txHash,
      ipfsCid: cid,
      transactionHash,
      blockNumber,
      blockTimestamp,
      confirmations: head + 1 - blockNumber,
    }
    byTransaction.set(txHash, [...(byTransaction.get(txHash) ?? []), event])
  }
  const rejected: Violation[] = []
  for (const { slug, txHash, cid, receipt, collateralCid } of records) {
    const collateral = bundles[collateralCid ?? '']
    const verdict = await verifyReceipt(
      {
        receipt: new TextEncoder().encode(receipt ?? ''),
        ...(cid !== null && { cid }),
        ...(collateral !== undefined && { collateral: bytesOf(collateral) }),
        events: byTransaction.get(txHash) ?? [],
        releases,
      },
      { anchors, now },
    )
    const skipped = verdict.skipped.length > 0 ? `, skipped ${verdict.skipped.join(' ')}` : ''
    if (!verdict.verified || skipped) rejected.push(`${slug}: ${verdict.failed.join(' ')}${skipped}`)
  }
  return rejected
}
