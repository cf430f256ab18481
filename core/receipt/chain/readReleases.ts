import { decodeEventLog, encodeEventTopics } from 'viem/utils'
import { z } from 'zod'
import type { Hex } from '../../bytes/index.js'
import { orNothing, withCode } from '../../errors/index.js'
import { releaseAnnounced, releaseWithdrawn, type ReleaseAnnouncement, type ReleaseEvidence } from '../../releases/index.js' // prettier-ignore
import type { TrustAnchors } from '../anchors/TrustAnchors.js'
import { logSchema, quantity, unusable, type Rpc } from './readLogs.js'
import { readChainId } from './readNumber.js'
import { walkBlocks, type BlockRange, type BlockWalk } from './walkBlocks.js'

/** More than a service publishes in decades. */
export const mostAnnouncements = 1000
/** Lists that are not in force only explain why a build is refused, so not all of a long history are fetched. */
const mostLists = 200

/** Node and gateway; see `Sources`. */
interface ReleaseSources {
  rpc: Rpc
  fetchCid(cid: string, what: string): Promise<Uint8Array>
}

interface ReleaseOptions extends Pick<BlockWalk, 'signal' | 'onProgress'> {
  anchors: TrustAnchors
}

/** What the contracts that the anchors name had announced on the node's chain by a block, and the lists, newest first. */
export async function readReleases(
  sources: ReleaseSources,
  { anchors, onProgress, signal }: ReleaseOptions,
  toBlock: number,
): Promise<ReleaseEvidence> {
  const { rpc } = sources
  const chainId = await readChainId(rpc)
  const contracts = anchors.releases.contracts.filter((known) => known.chainId === chainId)
  const announcements: ReleaseAnnouncement[] = []
  for (const { address, fromBlock = 0 } of contracts) {
    onProgress?.(`looking for lists of builds announced by ${address} on chain ${chainId}`)
    const walk = { fromBlock, toBlock, signal, onProgress }
    for await (const { found } of walkBlocks(walk, (range) => readRange(rpc, address, range))) {
      announcements.push(...found.map((log) => parseLog(log, address, chainId)))
      if (announcements.length > mostAnnouncements) throw unusable('too many announcements')
    }
  }
  return { announcements, lists: await fetchLists(announcements, sources) }
}

async function readRange(rpc: Rpc, address: Hex, { fromBlock, toBlock }: BlockRange): Promise<unknown[]> {
  const topics = [[releaseAnnounced, releaseWithdrawn].map((event) => encodeEventTopics({ abi: [event] })[0])]
  const filter = { address, topics, fromBlock: quantity(fromBlock), toBlock: quantity(toBlock) }
  const logs = await rpc('eth_getLogs', [filter])
  if (!Array.isArray(logs) || logs.length > mostAnnouncements) throw unusable('an unusable list of logs')
  return logs
}

const releaseLogSchema = logSchema.extend({ logIndex: z.string().regex(/^0x[0-9a-f]{1,8}$/) })

function parseLog(value: unknown, contract: Hex, chainId: number): ReleaseAnnouncement {
  return withCode('chain_unavailable', 'the node sent a log that is no announcement of a list of builds', () => {
    const log = releaseLogSchema.parse(value)
    if (log.address.toLowerCase() !== contract || log.removed === true) throw unusable('a log that was not asked for')
    const { eventName, args } = decodeEventLog({
      abi: [releaseAnnounced, releaseWithdrawn],
      topics: log.topics as [Hex, ...Hex[]],
      data: log.data as Hex,
      strict: true,
    })
    const common = {
      chainId,
      contract,
      version: Number(args.version),
      blockNumber: Number(log.blockNumber),
      logIndex: Number(log.logIndex),
    }
    if (eventName === 'ReleaseWithdrawn') return { kind: 'withdrawn', ...common }
    return { kind: 'announced', ...common, sha256: args.sha256.toLowerCase() as Hex, cid: args.cid }
  })
}

/** A list that cannot be fetched is left out: the step says so if it is the one that counts. */
async function fetchLists(
  announcements: readonly ReleaseAnnouncement[],
  { fetchCid }: ReleaseSources,
): Promise<Uint8Array[]> {
  const cids = announcements.flatMap((event) => (event.kind === 'announced' ? [event.cid] : []))
  const newest = [...new Set(cids)].slice(-mostLists).reverse()
  const fetched = await Promise.all(newest.map((cid) => orNothing(fetchCid(cid, 'list of builds'))))
  return fetched.filter((bytes) => bytes !== undefined)
}
