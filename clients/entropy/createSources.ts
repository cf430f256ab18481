import { createPublicKey, verify } from 'node:crypto'
import type { DataSource } from 'typeorm'
import { verifyBeacon } from '@perigee/core/entropyBeacon'
import { createNativeCheck, type EntropyTrust } from '@perigee/core/entropy'
import { streamHighWater } from '../../database/index.js'
import { createBeaconSource } from './beacon/createBeaconSource.js'
import type { EntropyConfig } from './config.js'
import type { EntropySource } from './EntropySource.js'
import { createOrbitportSource } from './orbitport/createOrbitportSource.js'
import { createSimulatedSource } from './simulated/createSimulatedSource.js'

/** The configured sources in order of preference, and the trust that their samples are verified with. */
export function createSources(
  config: EntropyConfig,
  database: DataSource,
): { sources: EntropySource[]; trust: EntropyTrust } {
  const { beaconNames, ...rest } = config.trust
  const trust: EntropyTrust = { ...rest, isSignedBy, beacons: { names: beaconNames, verify: verifyBeacon } }
  const sources = config.sources.map((name): EntropySource => {
    switch (name) {
      case 'simulated':
        return createSimulatedSource({ url: config.satelliteUrl as string })
      case 'orbitport':
        return createOrbitportSource({ config: config.orbitport as NonNullable<EntropyConfig['orbitport']>, trust })
      case 'beacon': {
        const beacon = config.beacon as NonNullable<EntropyConfig['beacon']>
        return createBeaconSource({ ...beacon, highWater: () => streamHighWater(database, beacon.name) })
      }
    }
  })
  return { sources, trust }
}

/** Node's native verification: it is most of the cost of a sample. */
const isSignedBy = createNativeCheck({
  importKey: (spki) => createPublicKey({ key: Buffer.from(spki), format: 'der', type: 'spki' }),
  verify: (digest, message, key, signature) => verify(digest, message, { key, dsaEncoding: 'ieee-p1363' }, signature),
})
