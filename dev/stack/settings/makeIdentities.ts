import { join } from 'node:path'
import { createChannelCertificates } from '../../../core/x509/testing/createChannelCertificates.js'
import { createSimulationPki } from '../../pki/index.js'
import { loadState } from '../../identityProvider/loadState.js'
import { createSimulatedRelease } from '../../../core/simulation/testing/createSimulatedRelease.js'
import { openIdentity, pinOf } from '../../satellite/index.js'

export const identityProviderDir = (dir: string) => join(dir, 'identity-provider')
export const simulationDir = (dir: string) => join(dir, 'simulation')
export const satelliteDir = (dir: string) => join(dir, 'satellite')

export type Identities = Awaited<ReturnType<typeof makeIdentities>>

/** The keys and certificates by which the programs know each other. Made the first time, kept afterwards. */
export async function makeIdentities(dir: string) {
  await createSimulationPki(simulationDir(dir))
  createSimulatedRelease(simulationDir(dir))
  return {
    channel: await createChannelCertificates(join(dir, 'channel')),
    oidcClient: (await loadState(identityProviderDir(dir))).client,
    /** JSON of the satellite's public keys. */
    satelliteKeys: JSON.stringify(pinOf(openIdentity(satelliteDir(dir)))),
  }
}
