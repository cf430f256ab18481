import { cidOf, fromHex, ServiceError, type Hex } from '@perigee/core'
import {
  authenticateUnderRoots,
  checkNotRevoked,
  verifySnpCrl,
  type AuthenticVek,
  type SnpCrl,
  type SnpProduct,
} from '@perigee/core/snp'
import { createFreshCache, type FreshnessOptions, type Verified } from './createFreshCache.js'

/** A source of AMD's CRLs (DER), which are verified before they are used. */
export type CrlSource = (chip: { product: SnpProduct; kind: 'VCEK' | 'VLEK' }) => Promise<Uint8Array>

export interface RevocationListOptions extends FreshnessOptions {
  source: CrlSource
  /** DER of AMD's roots, one of which signed the list. */
  roots: readonly Uint8Array[]
}

/** AMD's CRLs, one per product and kind of key, verified and cached. Refuses a list older than one seen before. */
export function createRevocationLists(options: RevocationListOptions) {
  const { source, roots, now = () => Math.floor(Date.now() / 1000) } = options

  const named = (bytes: Uint8Array, crl: SnpCrl) => ({ crl, cid: cidOf(bytes), bytes, expiresAt: crl.nextUpdate + 1 })
  const cache = createFreshCache<AuthenticVek, Verified & { crl: SnpCrl }>({
    refreshBeforeExpirySeconds: 0, // AMD renews its lists late; how old they may get is for maxAgeSeconds to say
    ...options,
    what: 'AMD’s list of revoked certificates',
    restore: async ({ root }, bytes) => named(bytes, await verifySnpCrl(bytes, root, null)),
    async fetch({ root, kind, extensions: { product } }, old) {
      const bytes = await source({ product, kind })
      const crl = await verifySnpCrl(bytes, root, now())
      if (old && crl.thisUpdate < old.crl.thisUpdate) {
        throw new ServiceError('collateral_rollback', 'the source went back to an earlier list', {
          had: old.crl.thisUpdate,
          got: crl.thisUpdate,
        })
      }
      return named(bytes, crl)
    },
  })

  return {
    /** Throws `vek_revoked`, `collateral_stale` or `collateral_unavailable`, or what is wrong with the chain or the list. */
    async requireNotRevoked({ vek, intermediate }: { vek: Hex; intermediate: Hex }): Promise<void> {
      const chain = await authenticateUnderRoots(roots, { vek: fromHex(vek), intermediate: fromHex(intermediate) })
      const { crl } = await cache.get(`amd-${chain.extensions.product}-${chain.kind}`, chain)
      checkNotRevoked(chain, crl)
    },
    keepFresh: cache.keepFresh,
    freshness: cache.freshness,
  }
}

export type RevocationLists = ReturnType<typeof createRevocationLists>
