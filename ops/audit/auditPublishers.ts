import type { DataSource } from 'typeorm'
import type { Hex } from '@perigee/core'
import type { Chain } from '../../clients/chain/createChain.js'
import { walkSlots } from '../../database/index.js'
import type { AuditReport } from './AuditReport.js'

export interface PublishersAudit {
  database: DataSource
  chain: Chain
  publishers: readonly Hex[]
  report: AuditReport
}

/** Each publishing key's nonces on the chain against those that Perigee gave out, from the first one on. */
export async function auditPublishers({ database, chain, publishers, report }: PublishersAudit): Promise<void> {
  for (const sender of publishers) {
    report.count('publishers')
    const mined = await chain.minedCount(sender)
    let expected: number | null = null
    const between = (from: number, to: number) => {
      for (let nonce = from; nonce < to; nonce++) {
        if (nonce < mined) {
          const message = `nonce ${nonce} was used by a transaction that Perigee never signed`
          report.disagree('publisher_nonce_unknown', sender, message, { nonce })
        } else {
          const message = `nonce ${nonce} is missing, and holds up the later ones`
          report.disagree('publisher_nonce_gap', sender, message, { nonce })
        }
      }
    }
    for await (const { nonce, state, hashes } of walkSlots(database, chain.config.chainId, sender, 'any')) {
      report.count('nonces')
      between(expected ?? nonce, nonce)
      expected = nonce + 1
      if (nonce >= mined && state !== 'open') {
        const message = `nonce ${nonce} is ${state}, but the chain has not seen it used`
        report.disagree('publisher_nonce_unmined', sender, message, { nonce, state })
      }
      if (nonce < mined && (state === 'lost' || state === 'open') && (await chain.findMined(hashes)).length === 0) {
        between(nonce, nonce + 1)
      }
    }
    if (expected !== null) between(expected, mined)
  }
}
