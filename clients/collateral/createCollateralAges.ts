import { LRUCache } from 'lru-cache'
import type { DataSource } from 'typeorm'
import type { UnixSeconds } from '@perigee/core'
import { freshCollateralAge, mostCollateralAgeToPublish } from '@perigee/core/receipt'
import { collateralIssuedAt, parseQuoteCollateral } from '@perigee/core/tdx'
import { loadBundle } from '../../database/index.js'

/** How old the collateral behind a CID is. Few sets are in use at one time, so each is read once. */
export function createCollateralAges(database: DataSource) {
  const issued = new LRUCache<string, UnixSeconds>({ max: 256 })

  async function ageOf(cid: string): Promise<number> {
    let issuedAt = issued.get(cid)
    if (issuedAt === undefined) {
      const { bytes } = await loadBundle(database, cid)
      issuedAt = collateralIssuedAt(parseQuoteCollateral(new TextDecoder().decode(bytes)))
      issued.set(cid, issuedAt)
    }
    return Math.floor(Date.now() / 1000) - issuedAt
  }

  return {
    /** Of the same day: nothing newer is needed. */
    isFresh: async (cid: string): Promise<boolean> => (await ageOf(cid)) <= freshCollateralAge,
    /** A verifier would refuse a receipt with it, or would soon. */
    isOutdated: async (cid: string): Promise<boolean> => (await ageOf(cid)) > mostCollateralAgeToPublish,
  }
}

export type CollateralAges = ReturnType<typeof createCollateralAges>
