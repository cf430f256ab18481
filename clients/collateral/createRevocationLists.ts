import { cidOf, fromHex, ServiceError } from '@perigee/core'
import {
  authenticateUnderRoots,
  checkNotRevoked,
  verifySnpCrl,
  type AuthenticVek,
  type SnpCrl,
} from '@perigee/core/snp'
import type { CrlSource, FreshSupply, RevocationLists } from './CollateralSupply.js'
import { createFreshCache, type FreshnessOptions, type Held } from './createFreshCache.js'

export interface RevocationListOptions extends FreshnessOptions {
  source: CrlSource
  /** DER of AMD's roots, one of which signed the list. */
  roots: readonly Uint8Array[]
}

type HeldList = Held & { crl: SnpCrl }

/** AMD's CRLs, one per product and kind of key, verified and cached. Refuses a list older than one seen before. */
export function createRevocationLists(options: RevocationListOptions): RevocationLists & FreshSupply {
  const { source, roots, now = () => Math.floor(Date.now() / 1000) } = options

  const held = (bytes: Uint8Array, crl: SnpCrl, refreshedAt: number): HeldList => {
    return { crl, cid: cidOf(bytes), bytes, refreshedAt, expiresAt: crl.nextUpdate + 1 }
  }
  const cache = createFreshCache<AuthenticVek, HeldList>({
    refreshBeforeExpirySeconds: 0, // AMD renews its lists late; how old they may get is for maxAgeSeconds to say
    ...options,
    what: 'AMD’s list of revoked certificates',
    restore: async ({ root }, bytes, refreshedAt) => held(bytes, await verifySnpCrl(bytes, root, null), refreshedAt),
    async fetch({ root, kind, extensions: { product } }, old) {
      const bytes = await source({ product, kind })
      const crl = await verifySnpCrl(bytes, root, now())
      if (old && crl.thisUpdate < old.crl.thisUpdate) {
        throw new ServiceError('collateral_rollback', 'the source went back to an earlier list', {
          had: old.crl.thisUpdate,
          got: crl.thisUpdate,
        })
      }
      return held(bytes, crl, now())
    },
  })

  return {
    async requireNotRevoked({ vek, intermediate }) {
      const chain = await authenticateUnderRoots(roots, { vek: fromHex(vek), intermediate: fromHex(intermediate) })
      const { crl } = await cache.get(`amd-${chain.extensions.product}-${chain.kind}`, chain)
      checkNotRevoked(chain, crl)
    },
    keepFresh: cache.keepFresh,
    freshness: cache.freshness,
  }
}
