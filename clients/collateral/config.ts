import { join } from 'node:path'
import type { AttestationMode, EnvReader } from '@perigee/core/config'
import { createCollateralFolder } from './createCollateralFolder.js'
import type { CollateralSupplyOptions } from './createCollateralSupply.js'
import { createFileSource } from './createFileSource.js'
import { createPccsSource } from './createPccsSource.js'

/** `PCCS_URL` and `COLLATERAL_DIR`; in simulation both are in the platform's folder. */
export function parseCollateralConfig(env: EnvReader, mode: AttestationMode): Omit<CollateralSupplyOptions, 'tdxRoot'> {
  if (mode.simulated) {
    return {
      source: createFileSource(join(mode.simulationDir, 'tdx', 'collateral.json')),
      store: createCollateralFolder(env.text('COLLATERAL_DIR', join(mode.simulationDir, 'collateral'))),
      refreshAfterSeconds: 60, // a file is cheap to read, and its owner renews it
      refreshBeforeExpirySeconds: 60,
    }
  }
  const rootCrlUrl = env.has('PCCS_ROOT_CRL_URL') ? env.url('PCCS_ROOT_CRL_URL', ['https:', 'http:']) : undefined
  return {
    source: createPccsSource({ url: env.url('PCCS_URL', ['https:', 'http:']), ...(rootCrlUrl && { rootCrlUrl }) }),
    store: createCollateralFolder(env.text('COLLATERAL_DIR')),
  }
}
