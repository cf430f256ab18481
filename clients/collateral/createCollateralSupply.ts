import { canonicalJson, cidOf, fromHex, ServiceError, type UnixSeconds } from '@perigee/core'
import {
  parseQuote,
  parseQuoteCollateral,
  verifyCollateral,
  type CollateralVerdict,
  type QuoteCollateral,
} from '@perigee/core/tdx'
import type { CollateralSource, CollateralStore, CollateralSupply, NamedCollateral } from './CollateralSupply.js'

export interface CollateralSupplyOptions {
  source: CollateralSource
  store?: CollateralStore
  /** DER of the root that must have signed everything. */
  tdxRoot: Uint8Array
  /** A set is refreshed after this long, in the background, while the old one is still used. */
  refreshAfterSeconds?: number
  /** And in any case this long before it expires. */
  refreshBeforeExpirySeconds?: number
  /** Called when a refresh fails while the old set is still valid. */
  onProblem?(error: unknown): void
  now?(): UnixSeconds
}

interface Held extends NamedCollateral, CollateralVerdict {
  checkedAt: UnixSeconds
}

/** Verified, cached collateral. Refuses a set whose TCB recovery number is lower than one seen before. */
export function createCollateralSupply(options: CollateralSupplyOptions): CollateralSupply {
  const { source, store, tdxRoot, refreshAfterSeconds = 6 * 3600, refreshBeforeExpirySeconds = 3 * 86_400 } = options
  const { onProblem = () => undefined, now = () => Math.floor(Date.now() / 1000) } = options
  const held = new Map<string, Held>()
  const pending = new Map<string, Promise<Held>>()

  async function verify(input: QuoteCollateral): Promise<Held> {
    const collateral = parseQuoteCollateral(input)
    const proved = await verifyCollateral(collateral, tdxRoot, now())
    const bytes = new TextEncoder().encode(canonicalJson(collateral))
    return { collateral, cid: cidOf(bytes), bytes, ...proved, checkedAt: now() }
  }

  /** Stored by an earlier run. It may have expired, but its number still forbids a rollback. */
  async function restore(platform: string): Promise<Held | undefined> {
    const bytes = await store?.load(platform)
    if (!bytes) return undefined
    const collateral = parseQuoteCollateral(new TextDecoder().decode(bytes))
    const proved = await verifyCollateral(collateral, tdxRoot, null)
    const restored = { collateral, cid: cidOf(bytes), bytes, ...proved, checkedAt: 0 }
    held.set(platform, restored)
    return restored
  }

  async function refresh(platform: string, quote: Parameters<CollateralSource>[0]): Promise<Held> {
    const old = held.get(platform) ?? (await restore(platform))
    const next = await verify(await source(quote))
    if (next.fmspc !== quote.fmspc) {
      throw new ServiceError('collateral_unavailable', 'the source gave collateral of another platform family')
    }
    if (old && next.tcbEvaluationDataNumber < old.tcbEvaluationDataNumber) {
      throw new ServiceError('collateral_rollback', 'the source went back to an earlier TCB recovery', {
        had: old.tcbEvaluationDataNumber,
        got: next.tcbEvaluationDataNumber,
      })
    }
    if (next.cid !== old?.cid) await store?.save(platform, next)
    held.set(platform, next)
    return next
  }

  function refreshOnce(platform: string, quote: Parameters<CollateralSource>[0]): Promise<Held> {
    const running = pending.get(platform) ?? refresh(platform, quote).finally(() => pending.delete(platform))
    pending.set(platform, running)
    return running
  }

  return {
    async collateralFor(quoteHex) {
      const { fmspc, ca } = parseQuote(fromHex(quoteHex))
      const platform = `${fmspc.slice(2)}-${ca}`
      const old = held.get(platform)
      const at = now()
      const fresh = old && at < old.checkedAt + refreshAfterSeconds && at < old.expiresAt - refreshBeforeExpirySeconds
      if (fresh) return old
      const refreshed = refreshOnce(platform, { fmspc, ca })
      if (old && at < old.expiresAt) {
        refreshed.catch(onProblem)
        return old
      }
      return refreshed.catch((error: unknown) => {
        const known = held.get(platform)
        if (known && now() < known.expiresAt) return (onProblem(error), known)
        throw unavailable(error, known)
      })
    },
  }
}

/** Expired collateral, ours or the source's, stops signing: otherwise we would miss revocations. */
function unavailable(error: unknown, known: Held | undefined): ServiceError {
  const code = error instanceof ServiceError ? error.code : undefined
  if (known || code === 'collateral_expired' || code === 'crl_expired' || code === 'cert_expired') {
    const facts = known ? { expiredAt: known.expiresAt } : {}
    return new ServiceError('collateral_stale', 'no fresh collateral is available, so nothing is signed', facts, error)
  }
  if (code !== undefined && code !== 'collateral_unavailable') return error as ServiceError
  return new ServiceError('collateral_unavailable', 'the collateral service gives nothing usable', {}, error)
}
