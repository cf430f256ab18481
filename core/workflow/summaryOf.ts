import type { ReceiptKind } from '../receipt/AnyReceipt.js'

/** One line about a publication, for Temporal's list of runs. */
export function summaryOf({ kind, txHash, wallet }: { kind: ReceiptKind; txHash: string; wallet: string }): string {
  if (kind === 'birth') return `birth of wallet ${wallet.slice(0, 18)}…`
  return `receipt of ${kind === 'message' ? 'message ' : ''}${txHash.slice(0, 18)}…`
}
