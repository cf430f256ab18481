import type { ReceiptVerdict } from './types.js'

const day = 86_400

/** A sentence for people when the enclave's clock and the block are more than a day apart, otherwise null. */
export function timesApart({ signedAt, blockTime }: Pick<ReceiptVerdict, 'signedAt' | 'blockTime'>): string | null {
  if (signedAt === null || blockTime === null || Math.abs(blockTime - signedAt) <= day) return null
  const days = Math.round(Math.abs(blockTime - signedAt) / day)
  return `The enclave’s clock and the block are ${days === 1 ? 'more than a day' : `${days} days`} apart. A publication that was repaired late looks like this, and so does a signature that was dated back: rely on the block’s time.`
}
