import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import type { Hex } from '@perigee/core'
import type { MeasurementRelease } from '@perigee/core/measurements'
import { createReleases } from '../../../clients/releases/createReleases.js'
import { deployServiceReleases } from '../../../contracts/index.js'
import { components, fund } from '../../harness/index.js'

/** A contract of lists of builds of a test's own, its owner's key, and a client of it. */
export async function deployReleases() {
  const { rpcUrl, chainId } = components()
  const ownerKey = generatePrivateKey()
  const owner = privateKeyToAccount(ownerKey).address
  await fund(owner)
  const { address } = await deployServiceReleases({ rpcUrl, deployerKey: ownerKey, owner })
  const contract = address.toLowerCase() as Hex
  const place = { chainId, rpcUrls: [rpcUrl], contract }
  return { ownerKey, contract, releases: createReleases({ ...place, confirmations: 1, pollMs: 50, waitMs: 20_000 }) }
}

/** A contract of its own that has announced this list, the first. */
export async function announceList(list: { release: MeasurementRelease; file: Uint8Array }): Promise<Hex> {
  const { releases, ownerKey, contract } = await deployReleases()
  await releases.send(releases.announceCall(list), ownerKey)
  return contract
}
