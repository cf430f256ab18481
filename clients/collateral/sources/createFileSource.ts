import { readFile } from 'node:fs/promises'
import { ServiceError } from '@perigee/core'
import { parseQuoteCollateral } from '@perigee/core/tdx'
import type { CollateralSource } from '../CollateralSupply.js'

/** Collateral from a file that another program renews: the simulated platform's, or one filled by hand without a network. */
export function createFileSource(path: string): CollateralSource {
  return async () => {
    const text = await readFile(path, 'utf8').catch((cause: unknown) => {
      throw new ServiceError('collateral_unavailable', 'the collateral file cannot be read', {}, cause)
    })
    return parseQuoteCollateral(text)
  }
}
