import { canonicalJson, cidOf, fromHex, ServiceError, type UnixSeconds } from '@perigee/core'
import {
  parseQuote,
  parseQuoteCollateral,
  verifyCollateral,
  type CollateralVerdict,
  type QuoteCollateral,
} from '@perigee/core/tdx'
import type { CollateralSource, CollateralSupply, FreshSupply, NamedCollateral } from './CollateralSupply.js'
import { createFreshCache, type FreshnessOptions, type Held } from './createFreshCache.js'

export interface CollateralSupplyOptions extends FreshnessOptions {
  source: CollateralSource
  /** DER of the root that must have signed everything. */
  tdxRoot: Uint8Array
}

type HeldCollateral = Held & NamedCollateral & CollateralVerdict
type Platform = Parameters<CollateralSource>[0]

/** Intel's collateral, verified and cached. Refuses a set whose TCB recovery number is lower than one seen before. */
export function createCollateralSupply(options: CollateralSupplyOptions): CollateralSupply & FreshSupply {
  const { source, tdxRoot, now = () => Math.floor(Date.now() / 1000) } = options

  /** `at` is null for a set that was stored: it may have expired, but its number still forbids a rollback. */
  async function verify(
    input: QuoteCollateral | string,
    at: UnixSeconds | null,
  ): Promise<Omit<HeldCollateral, 'refreshedAt'>> {
    // prettier-ignore
    const collateral = parseQuoteCollateral(input)
    const proved = await verifyCollateral(collateral, tdxRoot, at)
    const bytes = new TextEncoder().encode(canonicalJson(collateral))
    return { collateral, cid: cidOf(bytes), bytes, ...proved }
  }

  const cache = createFreshCache<Platform, HeldCollateral>({
    ...options,
    what: 'Intel’s collateral',
    restore: async (_platform, bytes, refreshedAt) => ({
      ...(await verify(new TextDecoder().decode(bytes), null)),
      refreshedAt,
    }),
    async fetch(platform, old) {
      const next = { ...(await verify(await source(platform), now())), refreshedAt: now() }
      if (next.fmspc !== platform.fmspc) {
        throw new ServiceError('collateral_unavailable', 'the source gave collateral of another platform family')
      }
      if (old && next.tcbEvaluationDataNumber < old.tcbEvaluationDataNumber) {
        throw new ServiceError('collateral_rollback', 'the source went back to an earlier TCB recovery', {
          had: old.tcbEvaluationDataNumber,
          got: next.tcbEvaluationDataNumber,
        })
      }
      return next
    },
  })

  return {
    collateralFor(quoteHex) {
      const { fmspc, ca } = parseQuote(fromHex(quoteHex))
      return cache.get(`${fmspc.slice(2)}-${ca}`, { fmspc, ca })
    },
    keepFresh: cache.keepFresh,
    freshness: cache.freshness,
  }
}
