import type { Hex, UnixSeconds } from '@perigee/core'
import type { SnpProduct } from '@perigee/core/snp'
import type { ParsedQuote, QuoteCollateral } from '@perigee/core/tdx'

/** Bytes with their name. */
export interface NamedBytes {
  cid: string
  bytes: Uint8Array
}

/** Verified collateral with its name: the CID of its canonical bytes. */
export interface NamedCollateral extends NamedBytes {
  collateral: QuoteCollateral
}

/** How fresh something is that was asked for at least once. */
export interface Freshness {
  refreshedAt: UnixSeconds
  /** From this second on, unless it is refreshed, nothing is signed with it. */
  staleAt: UnixSeconds
}

/** What keeps itself fresh, and says how fresh it is. */
export interface FreshSupply {
  /** Refreshes what is due. */
  keepFresh(): Promise<void>
  /** Null before anything was asked for. */
  freshness(): Freshness | null
}

/** Intel's collateral. */
export interface CollateralSupply {
  /** Throws `collateral_stale` when nothing fresh is left, `collateral_unavailable` when there is nothing at all. */
  collateralFor(quote: Hex): Promise<NamedCollateral>
}

/** AMD's lists of revoked certificates. */
export interface RevocationLists {
  /** Throws `vek_revoked`, `collateral_stale` or `collateral_unavailable`, or what is wrong with the chain or the list. */
  requireNotRevoked(chain: { vek: Hex; intermediate: Hex }): Promise<void>
}

/** A source of collateral, which is verified before it is used. */
export type CollateralSource = (quote: Pick<ParsedQuote, 'fmspc' | 'ca'>) => Promise<QuoteCollateral>

/** A source of AMD's CRLs (DER), which are verified before they are used. */
export type CrlSource = (chip: { product: SnpProduct; kind: 'VCEK' | 'VLEK' }) => Promise<Uint8Array>

/** Keeps the newest bytes of each name across restarts, and when they were last refreshed. */
export interface CollateralStore {
  load(name: string): Promise<{ bytes: Uint8Array; refreshedAt: UnixSeconds } | undefined>
  save(name: string, held: NamedBytes & { refreshedAt: UnixSeconds }): Promise<void>
}
