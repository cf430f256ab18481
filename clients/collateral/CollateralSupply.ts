import type { Hex } from '@perigee/core'
import type { ParsedQuote, QuoteCollateral } from '@perigee/core/tdx'

/** Verified collateral with its name: the CID of its canonical bytes. */
export interface NamedCollateral {
  collateral: QuoteCollateral
  cid: string
  bytes: Uint8Array
}

export interface CollateralSupply {
  /** Throws `collateral_stale` when only expired collateral is at hand, `collateral_unavailable` when there is none. */
  collateralFor(quote: Hex): Promise<NamedCollateral>
  close(): void
}

/** Where collateral comes from. What it gives is not believed until it has been verified. */
export type CollateralSource = (quote: Pick<ParsedQuote, 'fmspc' | 'ca'>) => Promise<QuoteCollateral>

/** Keeps the newest collateral of each platform over restarts, by CID. */
export interface CollateralStore {
  load(platform: string): Promise<Uint8Array | undefined>
  save(platform: string, named: NamedCollateral): Promise<void>
}
