import type { ReceiptKind } from '../receipt/AnyReceipt.js'

/** One line about a publication, for Temporal's list of runs. */
export function summaryOf({ kind, txHash, wallet }: { kind: ReceiptKind; txHash: string; wallet: string }): string {
  return kind === 'birth' ? `birth of wallet ${wallet.slice(0, 18)}…` : `receipt of ${txHash.slice(0, 18)}…`
}
