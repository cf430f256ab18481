import type { Hex } from '../../bytes/index.js'
import type { AnyReceipt } from '../AnyReceipt.js'
import { subjectOf } from '../subjectOf.js'

/** What one receipt claims that no other receipt may claim too. */
export interface ReceiptClaim {
  cid: string
  wallet: Hex
  /** Of the event: the transaction's, or `birthHash`. */
  txHash: Hex
  chainId: number
  /** Of the transaction; null for a birth. */
  nonce: number | null
  /** The random value of its entropy sample. Two samples with the same value are one. */
  sample: Hex
}

export interface Contradiction {
  /**
   * `sample_twice`: two receipts name one entropy sample. `two_receipts`: two receipts about the same transaction or
   * birth. `nonce_twice`: two signed transactions with the same nonce; right when one replaced the other.
   */
  kind: 'sample_twice' | 'two_receipts' | 'nonce_twice'
  /** The two receipts. */
  cids: [string, string]
  detail: string
}

export function claimOf(receipt: AnyReceipt, cid: string): ReceiptClaim {
  const { wallet, txHash, chainId } = subjectOf(receipt)
  const nonce = receipt.version === 'perigee-receipt/1' ? receipt.transaction.nonce : null
  return { cid, wallet, txHash, chainId, nonce, sample: receipt.entropy.value }
}

/**
 * Compares receipts with all earlier ones: gives those that a receipt contradicts. One that is published twice does not
 * contradict itself. Keeps a few hashes for each, never the receipt.
 */
export function createContradictions() {
  const bySample = new Map<string, string>()
  const byHash = new Map<string, string>()
  const byNonce = new Map<string, ReceiptClaim>()

  return (claim: ReceiptClaim): Contradiction[] => {
    const { cid, wallet, txHash, chainId, nonce, sample } = claim
    const found: Contradiction[] = []
    const about = first(byHash, `${wallet}/${txHash}`, cid)
    if (about !== cid) {
      found.push({ kind: 'two_receipts', cids: [about, cid], detail: `both are about ${txHash} of ${wallet}` })
    }
    const named = first(bySample, sample, cid)
    if (named !== cid) {
      found.push({ kind: 'sample_twice', cids: [named, cid], detail: `both name the entropy sample ${sample}` })
    }
    if (nonce !== null) {
      const earlier = first(byNonce, `${wallet}/${chainId}/${nonce}`, claim)
      if (earlier.txHash !== txHash) {
        const detail = `both use nonce ${nonce} of ${wallet} on chain ${chainId}: at most one of the two transactions can be included`
        found.push({ kind: 'nonce_twice', cids: [earlier.cid, cid], detail })
      }
    }
    return found
  }
}

function first<T>(known: Map<string, T>, key: string, value: T): T {
  const earlier = known.get(key)
  if (earlier !== undefined) return earlier
  known.set(key, value)
  return value
}
