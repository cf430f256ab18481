import { sha256 } from '@noble/hashes/sha2'
import { ServiceError, toHex, type Hex } from '@perigee/core'
import { createPinningNodes } from '../../clients/ipfs/createPinningNodes.js'
import type { PinningNode } from '../../clients/ipfs/PinningNode.js'
import { createReleases, type AnnouncedRelease, type ReleaseToAnnounce } from '../../clients/releases/createReleases.js'
import type { OpsConfig } from '../config.js'
import type { Outcome } from '../Outcome.js'
import { readList } from './listFiles.js'

interface Mismatch {
  kind: string
  detail: string
}

/** Shows every announced list, and compares chain, IPFS and the list that the service uses. */
export async function showLists(config: OpsConfig): Promise<Outcome> {
  const { contract, publicKey, file } = config.releases()
  const releases = createReleases(contract)
  const [owner, latest, inForce] = await Promise.all([releases.owner(), releases.latestVersion(), releases.versionInForce()]) // prettier-ignore
  const lists: AnnouncedRelease[] = []
  for (let version = 1; version <= latest; version++) {
    const list = await releases.announced(version)
    if (list) lists.push(list)
  }
  const { nodes } = createPinningNodes(config.ipfs())
  const mismatches = [
    ...(await compareNodes(lists, nodes)),
    ...(file === null ? [] : compareFile(file, publicKey, lists, inForce)),
  ]
  if (inForce === 0) mismatches.push({ kind: 'nothing_in_force', detail: 'no list is in force: no receipt verifies' })
  const lines = [
    `contract ${contract.contract} on chain ${contract.chainId}, owner ${owner}`,
    ...lists.map(({ version, sha256: hash, cid, withdrawn }) => {
      const state = withdrawn ? 'withdrawn' : version === inForce ? 'in force' : 'replaced'
      return `${version}  ${state.padEnd(9)}  ${hash}  ${cid}`
    }),
    ...mismatches.map(({ kind, detail }) => `MISMATCH ${kind}: ${detail}`),
    `${lists.length} lists, ${mismatches.length} mismatches`,
  ]
  const json = { contract: contract.contract, owner, inForce, lists, mismatches }
  return { lines, json, exitCode: mismatches.length === 0 ? 0 : 1 }
}

async function compareNodes(lists: readonly AnnouncedRelease[], nodes: readonly PinningNode[]): Promise<Mismatch[]> {
  const found: Mismatch[] = []
  for (const { version, cid } of lists) {
    for (const node of nodes) {
      const state = await node.look(cid)
      if (state !== 'held') found.push({ kind: `ipfs_${state}`, detail: `list ${version} (${cid}) on ${node.name}` })
    }
  }
  return found
}

/** The service must use the list that verifiers judge it by. */
function compareFile(path: string, publicKey: Hex, lists: readonly AnnouncedRelease[], inForce: number): Mismatch[] {
  let list: ReleaseToAnnounce
  try {
    list = readList(path, publicKey)
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error
    return [{ kind: error.code, detail: error.message }]
  }
  const { version } = list.release
  const hash = toHex(sha256(list.file))
  const announced = lists[version - 1]
  if (announced === undefined) return [{ kind: 'not_announced', detail: `the service uses list ${version}` }]
  if (announced.sha256 !== hash) {
    return [{ kind: 'release_conflict', detail: `the service uses another list of version ${version} (${hash})` }]
  }
  if (announced.withdrawn) return [{ kind: 'withdrawn', detail: `the service uses list ${version}` }]
  if (version !== inForce) return [{ kind: 'not_in_force', detail: `the service uses list ${version}, not ${inForce}` }]
  return []
}
