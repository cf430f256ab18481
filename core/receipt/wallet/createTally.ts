import { createContradictions } from './createContradictions.js'
import { createFindings } from './createFindings.js'
import { nonceCoverage, rangesOf } from './nonceCoverage.js'
import type { WalletRow, WalletVerdict } from './types.js'

type Place = Pick<WalletVerdict, 'wallet' | 'chainId' | 'contracts' | 'fromBlock' | 'toBlock'>

/** Adds up the rows of a wallet, in the order of the chain, and concludes. `searchedAll`: since the contracts were made. */
export function createTally(place: Place, searchedAll: boolean) {
  const { wallet, chainId, fromBlock } = place
  const findings = createFindings()
  const contradictions = createContradictions()
  /** Nonces of included transactions whose receipts verify. */
  const covered = new Set<number>()
  const notAsked = new Map<number, number>()
  const counts = { births: 0, receipts: 0, verifiedReceipts: 0 }
  let simulated: boolean | null = null

  function add(row: WalletRow): void {
    const { kind, verified, nonce, included } = row
    if (kind === 'birth') counts.births += 1
    else counts.receipts += 1
    if (kind !== 'birth' && verified) counts.verifiedReceipts += 1
    if (row.simulated !== null) simulated = simulated === true || row.simulated
    findings.addRow(row)
    compare(row)
    if (nonce === null || row.chainId === null) return
    if (row.chainId !== chainId) notAsked.set(row.chainId, (notAsked.get(row.chainId) ?? 0) + 1)
    else if (verified && included === true) covered.add(nonce)
  }

  function compare({ cid, txHash, kind, chainId: txChain, nonce, sample, included }: WalletRow): void {
    if (sample === null || txChain === null) return
    for (const found of contradictions.add({ cid, wallet, txHash, chainId: txChain, nonce, sample })) {
      if (kind === 'birth' && found.kind === 'two_receipts') continue // said once, as birth_twice
      // A chain includes one transaction for each nonce: a node that says it included two is wrong about one.
      const isFault = found.kind !== 'nonce_twice' || (included === true && nonce !== null && covered.has(nonce))
      findings.add(found.kind, cid, `and ${found.cids[0]}: ${found.detail}`, isFault)
    }
  }

  function verdict(transactions: number): WalletVerdict {
    const { births, receipts, verifiedReceipts } = counts
    if (births === 0) findings.add('birth_missing', wallet, 'no event names a birth of its key')
    if (births > 1) findings.add('birth_twice', wallet, `${births} births of its key are published`)
    const unread = receipts - verifiedReceipts
    const { kind, missing } = nonceCoverage({
      count: transactions,
      receipts: [...covered],
      unread,
      searchedAll,
    })
    const ranges = rangesOf(missing)
    if (missing.length > 0) {
      const detail = `the chain has included these transactions, and no receipt that verifies is about them`
      findings.add('nonce_without_receipt', ranges, detail)
    }
    for (const [other, count] of notAsked) {
      const detail = `${count} receipts are about transactions of this chain: neither these nor its nonces were looked up`
      findings.add('not_asked', `chain ${other}`, detail)
    }
    if (!searchedAll) findings.add('not_searched', wallet, `blocks before ${fromBlock} were not searched`)
    return {
      ...findings.result(),
      simulated,
      ...place,
      ...counts,
      transactions,
      nonces: { kind, missing: missing.length, ranges },
    }
  }

  return { add, verdict }
}
