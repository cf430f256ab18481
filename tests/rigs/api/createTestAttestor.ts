import { readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { EnvReader, parseHardwareTrust } from '@perigee/core/config'
import { createCoordinatorAttestor, type CoordinatorAttestor } from '../../../clients/snp/createCoordinatorAttestor.js'
import { createRequestKey } from '../../../clients/snp/createRequestKey.js'
import { openSimulatedSnp } from '../../../clients/snp/openSimulatedSnp.js'
import { createSimulatedRelease } from '../../../core/simulation/testing/createSimulatedRelease.js'
import { copyPki } from '../sharedPki.js'

/** The real attestor on the simulated platform, with a folder of its own. */
export async function createTestAttestor(): Promise<CoordinatorAttestor> {
  const parent = await mkdtemp(join(tmpdir(), 'perigee-snp-'))
  const dir = join(parent, 'simulation')
  await copyPki(dir)
  createSimulatedRelease(dir)
  const trust = parseHardwareTrust(new EnvReader({ MOCK_ATTESTATION: 'true', SIMULATION_DIR: dir }), readFileSync)
  const attestor = createCoordinatorAttestor({
    platform: openSimulatedSnp(dir),
    identity: { service: 'http://localhost:8080', requestKey: createRequestKey().publicKey, publishers: [] },
    roots: trust.snpRoots,
    releases: trust.releases,
    allowDevelopmentRoot: true,
  })
  await attestor.current()
  await rm(parent, { recursive: true, force: true })
  return attestor
}
