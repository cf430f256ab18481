import type { Finding, FindingKind, WalletRow } from './types.js'

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

/** Collects findings. It counts all of them and keeps a thousand, so a hostile wallet cannot fill the memory. */
export function createFindings() {
  const kept: Finding[] = []
  let count = 0
  let faultCount = 0

  function add(kind: FindingKind, subject: string, detail: string, isFault = faults.has(kind)): void {
    count += 1
    if (isFault) faultCount += 1
    if (kept.length < mostKept) kept.push({ kind, isFault, subject, detail })
  }

  /** What one row shows by itself. */
  function addRow({ cid, txHash, failure, delay, included }: WalletRow): void {
    if (failure !== null) add('receipt_invalid', cid, failure)
    if (delay !== null && delay > day) {
      add('late', cid, `its event came ${(delay / day).toFixed(1)} days after the enclave’s clock at signing`)
    }
    if (included === false) {
      add('receipt_without_transaction', cid, `transaction ${txHash} is not on the chain: not sent, or replaced`)
    }
  }

  return {
    add,
    addRow,
    result: () => ({ verified: faultCount === 0, findings: kept, moreFindings: count - kept.length }),
  }
}
