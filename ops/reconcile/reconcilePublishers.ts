import { walkSlots } from '../../database/index.js'
import type { Reconciliation } from './createReport.js'

/** Compares each publishing key's nonces on the chain with those that Perigee allocated, from the first one on. */
export async function reconcilePublishers({ database, chain, publishers, report }: Reconciliation): Promise<void> {
  for (const sender of publishers) {
    report.count('publishers')
    const mined = await chain.minedCount(sender)
    let expected: number | null = null
    const reportUnallocated = (from: number, to: number) => {
      for (let nonce = from; nonce < to; nonce++) {
        const [kind, what] =
          nonce < mined
            ? (['publisher_nonce_unknown', 'was used by a transaction that Perigee never signed'] as const)
            : (['publisher_nonce_gap', 'is missing and blocks the later ones'] as const)
        report.mismatch(kind, sender, `nonce ${nonce} ${what}`, { nonce })
      }
    }
    for await (const { nonce, state, hashes } of walkSlots(database, chain.config.chainId, sender, 'any')) {
      report.count('nonces')
      reportUnallocated(expected ?? nonce, nonce)
      expected = nonce + 1
      if (nonce >= mined && state !== 'open') {
        const message = `nonce ${nonce} is ${state}, but unused on the chain`
        report.mismatch('publisher_nonce_unmined', sender, message, { nonce, state })
      }
      if (nonce < mined && (state === 'lost' || state === 'open') && (await chain.findMined(hashes)).length === 0) {
        reportUnallocated(nonce, nonce + 1)
      }
    }
    if (expected !== null) reportUnallocated(expected, mined)
  }
}
