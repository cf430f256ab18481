import { LRUCache } from 'lru-cache'
import type { DataSource } from 'typeorm'
import type { UnixSeconds } from '@perigee/core'
import { freshCollateralAge, mostCollateralAgeToPublish } from '@perigee/core/receipt'
import { collateralIssuedAt, parseQuoteCollateral } from '@perigee/core/tdx'
import { loadBundle } from '../../database/index.js'

/** How old the collateral behind a CID is. Few sets are in use at one time, so each is read once. */
export function createCollateralAges(database: DataSource) {
  const issued = new LRUCache<string, UnixSeconds>({
    max: 256,
    fetchMethod: async (cid) => {
      const { bytes } = await loadBundle(database, cid)
      return collateralIssuedAt(parseQuoteCollateral(new TextDecoder().decode(bytes)))
    },
  })
  const issuedAt = (cid: string): Promise<UnixSeconds> => issued.forceFetch(cid)
  const ageOf = async (cid: string) => Math.floor(Date.now() / 1000) - (await issuedAt(cid))

  return {
    /** When the oldest of the parts that are issued daily was issued. */
    issuedAt,
    /** Of the same day: nothing newer is needed. */
    isFresh: async (cid: string): Promise<boolean> => (await ageOf(cid)) <= freshCollateralAge,
    /** A verifier would refuse a receipt with it, or would soon. */
    isOutdated: async (cid: string): Promise<boolean> => (await ageOf(cid)) > mostCollateralAgeToPublish,
  }
}
