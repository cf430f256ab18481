import type { Hex } from '@perigee/core'
import type { ParsedQuote, QuoteCollateral } from '@perigee/core/tdx'

/** Verified collateral with its name: the CID of its canonical bytes. */
export interface NamedCollateral {
  collateral: QuoteCollateral
  cid: string
  bytes: Uint8Array
}

export interface CollateralSupply {
  /** Throws `collateral_stale` when all collateral has expired, `collateral_unavailable` when there is none. */
  collateralFor(quote: Hex): Promise<NamedCollateral>
}

/** A source of collateral, which is verified before it is used. */
export type CollateralSource = (quote: Pick<ParsedQuote, 'fmspc' | 'ca'>) => Promise<QuoteCollateral>

/** Keeps the newest collateral of each platform across restarts, by CID. */
export interface CollateralStore {
  load(platform: string): Promise<Uint8Array | undefined>
  save(platform: string, named: NamedCollateral): Promise<void>
}
