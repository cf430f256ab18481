import { join } from 'node:path'
import { createChannelCertificates } from '../../../core/x509/testing/createChannelCertificates.js'
import { createSimulationPki } from '../../pki/index.js'
import { loadState } from '../../identityProvider/loadState.js'
import { createSimulatedRelease } from '../../../core/simulation/testing/createSimulatedRelease.js'
import { openIdentity, pinOf } from '../../satellite/index.js'
import { identityProviderDir, satelliteDir, simulationDir } from './environment.js'

/** The keys and certificates by which the programs know each other. Made the first time, kept afterwards. */
export async function makeIdentities(dir: string) {
  await createSimulationPki(simulationDir(dir))
  createSimulatedRelease(simulationDir(dir))
  return {
    channel: await createChannelCertificates(join(dir, 'channel')),
    oidcClient: (await loadState(identityProviderDir(dir))).client,
    satelliteKeys: JSON.stringify(pinOf(openIdentity(satelliteDir(dir)))),
  }
}
