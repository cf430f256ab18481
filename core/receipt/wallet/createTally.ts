import { createContradictions } from './createContradictions.js'
import { nonceCoverage, rangesOf } from './nonceCoverage.js'
import type { Finding, FindingKind, WalletRow, WalletVerdict } from './types.js'

type Place = Pick<WalletVerdict, 'wallet' | 'chainId' | 'contracts' | 'fromBlock' | 'toBlock'>

/** More findings than this are only counted, so a hostile wallet cannot fill the memory. */
const mostKept = 1000
const day = 86_400

const faults: ReadonlySet<FindingKind> = new Set<FindingKind>([
  'birth_missing',
  'birth_twice',
  'receipt_invalid',
  'nonce_without_receipt',
  'sample_twice',
  'two_receipts',
])

/** Adds up the rows of a wallet, in the order of the chain, and concludes. `searchedAll`: since the contracts were made. */
export function createTally(place: Place, searchedAll: boolean) {
  const { wallet, chainId, fromBlock } = place
  const findings: Finding[] = []
  let moreFindings = 0
  let verified = true
  const contradictionsOf = createContradictions()
  /** Nonces of included transactions whose receipts verify. */
  const covered = new Set<number>()
  const notAsked = new Map<number, number>()
  const counts = { births: 0, receipts: 0, verifiedReceipts: 0 }
  let simulated: boolean | null = null

  function report(kind: FindingKind, subject: string, detail: string, isFault = faults.has(kind)): void {
    if (isFault) verified = false
    if (findings.length < mostKept) findings.push({ kind, isFault, subject, detail })
    else moreFindings += 1
  }

  function add(row: WalletRow): void {
    const { kind, nonce } = row
    if (kind === 'birth') counts.births += 1
    else counts.receipts += 1
    if (kind !== 'birth' && row.verified) counts.verifiedReceipts += 1
    if (row.simulated !== null) simulated = simulated === true || row.simulated
    reportAlone(row)
    compare(row)
    if (nonce === null || row.chainId === null) return
    if (row.chainId !== chainId) notAsked.set(row.chainId, (notAsked.get(row.chainId) ?? 0) + 1)
    else if (row.verified && row.included === true) covered.add(nonce)
  }

  /** What one row shows by itself. */
  function reportAlone({ cid, txHash, failure, delay, included }: WalletRow): void {
    if (failure !== null) report('receipt_invalid', cid, failure)
    if (delay !== null && delay > day) {
      report('late', cid, `its event came ${(delay / day).toFixed(1)} days after the enclave’s clock at signing`)
    }
    if (included === false) {
      report('receipt_without_transaction', cid, `transaction ${txHash} is not on the chain: not sent, or replaced`)
    }
  }

  function compare({ cid, txHash, kind, chainId: txChain, nonce, sample, included }: WalletRow): void {
    if (sample === null || txChain === null) return
    for (const found of contradictionsOf({ cid, wallet, txHash, chainId: txChain, nonce, sample })) {
      if (kind === 'birth' && found.kind === 'two_receipts') continue // said once, as birth_twice
      // A chain includes one transaction for each nonce: a node that says it included two is wrong about one.
      const isFault = found.kind !== 'nonce_twice' || (included === true && nonce !== null && covered.has(nonce))
      report(found.kind, cid, `and ${found.cids[0]}: ${found.detail}`, isFault)
    }
  }

  function verdict(transactions: number): WalletVerdict {
    const { births, receipts, verifiedReceipts } = counts
    if (births === 0) report('birth_missing', wallet, 'no event names a birth of its key')
    if (births > 1) report('birth_twice', wallet, `${births} births of its key are published`)
    const unread = receipts - verifiedReceipts
    const { kind, missing } = nonceCoverage({ count: transactions, receipts: [...covered], unread, searchedAll })
    const ranges = rangesOf(missing)
    if (missing.length > 0) {
      const detail = `the chain has included these transactions, and no receipt that verifies is about them`
      report('nonce_without_receipt', ranges, detail)
    }
    for (const [other, count] of notAsked) {
      const detail = `${count} receipts are about transactions of this chain: neither these nor its nonces were looked up`
      report('not_asked', `chain ${other}`, detail)
    }
    if (!searchedAll) report('not_searched', wallet, `blocks before ${fromBlock} were not searched`)
    const nonces = { kind, missing: missing.length, ranges }
    return { verified, findings, moreFindings, simulated, ...place, ...counts, transactions, nonces }
  }

  return { add, verdict }
}
