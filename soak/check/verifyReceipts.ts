import {
  verifyReceipt,
  type PublishedEvent,
  type ReceiptEvidence,
  type ReceiptVerdict,
} from '@perigee/core/receipt/verify'
import type { Evidence, ProofRecord, Violation } from './Evidence.js'

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
  const evidenceOf = ({ txHash, cid, receipt, collateralCid }: ProofRecord): ReceiptEvidence => {
    const collateral = bundles[collateralCid ?? '']
    return {
      receipt: new TextEncoder().encode(receipt ?? ''),
      ...(cid !== null && { cid }),
      ...(collateral !== undefined && { collateral: new Uint8Array(Buffer.from(collateral, 'base64')) }),
      events: byTransaction.get(txHash) ?? [],
    }
  }
  const birthOf = new Map(records.filter(({ kind }) => kind === 'birth').map((record) => [record.wallet, record]))
  const births = new Map<string, Promise<ReceiptVerdict>>() // a wallet's birth is verified once
  const rejected: Violation[] = []
  for (const record of records) {
    const birth = record.kind === 'transaction' ? birthOf.get(record.wallet) : undefined
    const verdict = await verifyReceipt(
      { ...evidenceOf(record), releases, ...(birth && { birth: evidenceOf(birth) }) },
      { anchors, now, births },
    )
    const skipped = verdict.skipped.length > 0 ? `, skipped ${verdict.skipped.join(' ')}` : ''
    if (!verdict.verified || skipped) rejected.push(`${record.slug}: ${verdict.failed.join(' ')}${skipped}`)
  }
  return rejected
}
