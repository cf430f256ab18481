import {
  verifyReceipt,
  type PublishedEvent,
  type ReceiptEvidence,
  type ReceiptVerdict,
} from '@perigee/core/receipt/verify'
import type { Evidence, ProofRecord, Violation } from './Evidence.js'

/** What the verifier says about one receipt: steps that failed or could not be done. */
interface Verdict {
  slug: string
  failed: readonly string[]
  skipped: readonly string[]
}

const verdicts = new WeakMap<Evidence, Promise<Verdict[]>>() // several checks read the same ones

function verdictsOf(evidence: Evidence): Promise<Verdict[]> {
  const known = verdicts.get(evidence) ?? verifyAll(evidence)
  verdicts.set(evidence, known)
  return known
}

/** Receipts that fail in one of these steps, or cannot be checked there. */
export async function failingIn(evidence: Evidence, steps: readonly string[]): Promise<Violation[]> {
  const wrong = ({ failed, skipped }: Verdict) => [...failed, ...skipped].filter((step) => steps.includes(step))
  return (await verdictsOf(evidence)).flatMap((one) => {
    const found = wrong(one)
    return found.length > 0 ? [`${one.slug}: ${found.join(' ')}`] : []
  })
}

/** Receipts that do not pass every step. */
export async function verifyReceipts(evidence: Evidence): Promise<Violation[]> {
  return (await verdictsOf(evidence)).flatMap(({ slug, failed, skipped }) => {
    const text = skipped.length > 0 ? `, skipped ${skipped.join(' ')}` : ''
    return failed.length > 0 || text ? [`${slug}: ${failed.join(' ')}${text}`] : []
  })
}

/** The same as `npm run verify -- <bundle> --offline` for every receipt, in this process. */
async function verifyAll(evidence: Evidence): Promise<Verdict[]> {
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
      ...(collateral !== undefined && { collateral: bytesOf(collateral) }),
      events: byTransaction.get(txHash) ?? [],
    }
  }
  const birthOf = new Map(records.filter(({ kind }) => kind === 'birth').map((record) => [record.wallet, record]))
  const births = new Map<string, Promise<ReceiptVerdict>>() // a wallet's birth is verified once
  const all: Verdict[] = []
  for (const record of records) {
    const birth = record.kind !== 'birth' ? birthOf.get(record.wallet) : undefined
    const verdict = await verifyReceipt(
      { ...evidenceOf(record), releases, ...(birth && { birth: evidenceOf(birth) }) },
      { anchors, now, births },
    )
    // What a message says is known to its owner alone.
    const skipped = verdict.skipped.filter((step) => step !== 'opening')
    const failed = verdict.verified || verdict.failed.length > 0 ? verdict.failed : ['unverified']
    all.push({ slug: record.slug, failed, skipped })
  }
  return all
}
