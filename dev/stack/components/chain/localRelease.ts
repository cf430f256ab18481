import { readFile } from 'node:fs/promises'
import type { Address } from 'viem'
import { cidOf, ServiceError, type Hex } from '@perigee/core'
import { verifyRelease } from '@perigee/core/measurements'
import { createKuboNode } from '../../../../clients/ipfs/createKuboNode.js'
import { createReleases } from '../../../../clients/releases/createReleases.js'
import { createSimulatedRelease } from '../../../../core/simulation/testing/createSimulatedRelease.js'
import { simulationDir } from '../../settings/makeIdentities.js'
import type { Secrets } from '../../settings/secrets.js'
import { localChainId } from '../names.js'

/** Announces the stack's list of builds on its own chain, unless it was. Safe to repeat. */
export async function keepLocalRelease(dir: string, rpcUrl: string, address: Address, secrets: Secrets): Promise<void> {
  const releases = createReleases({
    chainId: localChainId,
    rpcUrls: [rpcUrl],
    contract: address.toLowerCase() as Hex,
    confirmations: 1,
    pollMs: 100,
    waitMs: 30_000,
  })
  const { file: path, publicKey } = createSimulatedRelease(simulationDir(dir))
  const file = new Uint8Array(await readFile(path))
  const list = { release: verifyRelease(file, publicKey), file }
  try {
    if (await releases.mustAnnounce(list)) await releases.send(releases.announceCall(list), secrets.contractOwnerKey)
  } catch (error) {
    if (!(error instanceof ServiceError) || !error.code.startsWith('release_')) throw error
    throw new Error(`${error.message}. Chain and list do not fit; start over with: npm start -- --fresh`)
  }
}

/** Pins the stack's list of builds on its own IPFS node. */
export async function pinLocalRelease(dir: string, ipfsApiUrl: string): Promise<void> {
  const file = new Uint8Array(await readFile(createSimulatedRelease(simulationDir(dir)).file))
  await createKuboNode(ipfsApiUrl).pin(cidOf(file), file)
}
