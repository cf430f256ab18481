import { join } from 'node:path'
import type { AttestationMode, EnvReader } from '@perigee/core/config'
import { createCollateralFolder } from './createCollateralFolder.js'
import type { CollateralSupplyOptions } from './createCollateralSupply.js'
import { createCrlFileSource, createFileSource } from './sources/createFileSource.js'
import { createKdsSource } from './sources/createKdsSource.js'
import { createPccsSource } from './sources/createPccsSource.js'
import type { RevocationListOptions } from './createRevocationLists.js'

export interface CollateralConfig {
  intel: Omit<CollateralSupplyOptions, 'tdxRoot'>
  amd: Omit<RevocationListOptions, 'roots'>
}

/** Where Intel's collateral and AMD's CRLs come from and how old they may get; in simulation both are in the platform's folder. */
export function parseCollateralConfig(env: EnvReader, mode: AttestationMode): CollateralConfig {
  const maxAgeSeconds = env.integer('COLLATERAL_MAX_AGE_SECONDS', { min: 300, max: 30 * 86_400 }, 86_400)
  if (mode.simulated) {
    const shared = {
      store: createCollateralFolder(env.text('COLLATERAL_DIR', join(mode.simulationDir, 'collateral'))),
      maxAgeSeconds,
      refreshAfterSeconds: 60, // a file is cheap to read, and its owner renews it
      refreshBeforeExpirySeconds: 60,
    }
    return {
      intel: { ...shared, source: createFileSource(join(mode.simulationDir, 'tdx', 'collateral.json')) },
      amd: { ...shared, source: createCrlFileSource(join(mode.simulationDir, 'snp', 'crl.der')) },
    }
  }
  const rootCrlUrl = env.has('PCCS_ROOT_CRL_URL') ? env.url('PCCS_ROOT_CRL_URL', ['https:', 'http:']) : undefined
  const url = env.url('PCCS_URL', ['https:', 'http:'])
  const kdsUrl = env.url('AMD_KDS_URL', ['https:', 'http:'], 'https://kdsintf.amd.com')
  const shared = { store: createCollateralFolder(env.text('COLLATERAL_DIR')), maxAgeSeconds }
  return {
    intel: { ...shared, source: createPccsSource({ url, ...(rootCrlUrl && { rootCrlUrl }) }) },
    amd: { ...shared, source: createKdsSource(kdsUrl) },
  }
}
