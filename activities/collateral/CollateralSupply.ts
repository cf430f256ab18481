import type { Hex } from '@perigee/core'
import type { QuoteCollateral } from '@perigee/core/tdx'

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
