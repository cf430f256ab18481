import { canonicalJson, cidOf, fromHex, ServiceError, type Hex, type UnixSeconds } from '@perigee/core'
import {
  parseQuote,
  parseQuoteCollateral,
  verifyCollateral,
  type CollateralVerdict,
  type ParsedQuote,
  type QuoteCollateral,
} from '@perigee/core/tdx'
import { createFreshCache, type FreshnessOptions, type Verified } from './createFreshCache.js'

/** A source of collateral, which is verified before it is used. */
export type CollateralSource = (platform: Platform) => Promise<QuoteCollateral>

type Platform = Pick<ParsedQuote, 'fmspc' | 'ca'>

export interface CollateralSupplyOptions extends FreshnessOptions {
  source: CollateralSource
  /** DER of the root that must have signed everything. */
  tdxRoot: Uint8Array
}

/** Named by the CID of its canonical bytes. */
type NamedCollateral = Verified & CollateralVerdict & { collateral: QuoteCollateral }

/** Intel's collateral, verified and cached. Refuses a set whose TCB recovery number is lower than one seen before. */
export function createCollateralSupply(options: CollateralSupplyOptions) {
  const { source, tdxRoot, now = () => Math.floor(Date.now() / 1000) } = options

  /** `at` is null for a set that was stored: it may have expired, but its number still forbids a rollback. */
  async function verify(input: QuoteCollateral | string, at: UnixSeconds | null): Promise<NamedCollateral> {
    const collateral = parseQuoteCollateral(input)
    const proved = await verifyCollateral(collateral, tdxRoot, at)
    const bytes = new TextEncoder().encode(canonicalJson(collateral))
    return { collateral, cid: cidOf(bytes), bytes, ...proved }
  }

  const cache = createFreshCache<Platform, NamedCollateral>({
    ...options,
    what: 'Intel’s collateral',
    restore: (_platform, bytes) => verify(new TextDecoder().decode(bytes), null),
    async fetch(platform, old) {
      const next = await verify(await source(platform), now())
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
    /** Throws `collateral_stale` when nothing fresh is left, `collateral_unavailable` when there is nothing at all. */
    collateralFor(quoteHex: Hex): Promise<NamedCollateral> {
      const { fmspc, ca } = parseQuote(fromHex(quoteHex))
      return cache.get(`${fmspc.slice(2)}-${ca}`, { fmspc, ca })
    },
    keepFresh: cache.keepFresh,
    freshness: cache.freshness,
  }
}

export type CollateralSupply = ReturnType<typeof createCollateralSupply>
