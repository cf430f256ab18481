import { readFile } from 'node:fs/promises'
import { ServiceError } from '@perigee/core'
import { parseQuoteCollateral } from '@perigee/core/tdx'
import type { CollateralSource } from '../createCollateralSupply.js'
import type { CrlSource } from '../createRevocationLists.js'

/** Collateral from a file that another program renews: the simulated platform's, or one filled by hand without a network. */
export function createFileSource(path: string): CollateralSource {
  return async () => parseQuoteCollateral((await read(path, 'the collateral file cannot be read')).toString('utf8'))
}

/** The simulated chip's list, from the simulation folder. */
export function createCrlFileSource(path: string): CrlSource {
  return async () => new Uint8Array(await read(path, 'the simulated CRL cannot be read; start with --fresh'))
}

function read(path: string, problem: string): Promise<Buffer> {
  return readFile(path).catch((cause: unknown) => {
    throw new ServiceError('collateral_unavailable', problem, {}, cause)
  })
}
