import type { DataSource } from 'typeorm'
import type { Hex } from '@perigee/core'
import type { Chain } from '../../clients/chain/createChain.js'
import { walkSlots } from '../../database/index.js'
import type { Report } from './createReport.js'

export interface PublishersInput {
  database: DataSource
  chain: Chain
  publishers: readonly Hex[]
  report: Report
}

/** Compares each publishing key's nonces on the chain with those that Perigee allocated, from the first one on. */
export async function reconcilePublishers({ database, chain, publishers, report }: PublishersInput): Promise<void> {
  for (const sender of publishers) {
    report.count('publishers')
    const mined = await chain.minedCount(sender)
    let expected: number | null = null
    const reportUnallocated = (from: number, to: number) => {
      for (let nonce = from; nonce < to; nonce++) {
        if (nonce < mined) {
          const message = `nonce ${nonce} was used by a transaction that Perigee never signed`
          report.mismatch('publisher_nonce_unknown', sender, message, { nonce })
        } else {
          const message = `nonce ${nonce} is missing and blocks the later ones`
          report.mismatch('publisher_nonce_gap', sender, message, { nonce })
        }
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
