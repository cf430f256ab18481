import { decodeEventLog, encodeEventTopics } from 'viem/utils'
import { z } from 'zod'
import type { Hex } from '../../bytes/index.js'
import { ServiceError, withCode } from '../../errors/index.js'
import { releaseAnnounced, releaseWithdrawn, type ReleaseAnnouncement, type ReleaseEvidence } from '../../releases/index.js' // prettier-ignore
import type { TrustAnchors } from '../TrustAnchors.js'
import { readChainId } from './readEvents.js'
import { logSchema, quantity, unusable, type Rpc } from './readLogs.js'

/** More than a service publishes in decades. */
export const mostAnnouncements = 1000
/** Lists that are not in force only explain why a build is refused, so not all of a long history are fetched. */
const mostLists = 200
/** Public nodes refuse long ranges: a range is halved at most so often, with so many calls in total. */
const mostHalvings = 12
const mostCalls = 500

/** Node and gateway; see `Sources`. */
interface ReleaseSources {
  rpc: Rpc
  fetchCid(cid: string, what: string): Promise<Uint8Array>
}

/** What the contracts that the anchors name had announced on the node's chain by a block, and the lists, newest first. */
export async function readReleases(
  sources: ReleaseSources,
  { anchors, onProgress }: { anchors: TrustAnchors; onProgress?: (line: string) => void },
  toBlock: number,
): Promise<ReleaseEvidence> {
  const { rpc } = sources
  const chainId = await readChainId(rpc)
  const contracts = anchors.releases.contracts.filter((known) => known.chainId === chainId)
  const announcements: ReleaseAnnouncement[] = []
  for (const { address, fromBlock = 0 } of contracts) {
    onProgress?.(`looking for lists of builds announced by ${address} on chain ${chainId}`)
    const logs = await readRange(rpc, { address, fromBlock, toBlock }, { calls: mostCalls }, mostHalvings)
    announcements.push(...logs.map((log) => parseLog(log, address, chainId)))
    if (announcements.length > mostAnnouncements) throw unusable('too many announcements')
  }
  return { announcements, lists: await fetchLists(announcements, sources) }
}

interface Range {
  address: Hex
  fromBlock: number
  toBlock: number
}

async function readRange(rpc: Rpc, range: Range, left: { calls: number }, halvings: number): Promise<unknown[]> {
  const { address, fromBlock, toBlock } = range
  if (fromBlock > toBlock) return []
  left.calls -= 1
  try {
    const topics = [[releaseAnnounced, releaseWithdrawn].map((event) => encodeEventTopics({ abi: [event] })[0])]
    const filter = { address, topics, fromBlock: quantity(fromBlock), toBlock: quantity(toBlock) }
    const logs = await rpc('eth_getLogs', [filter])
    if (!Array.isArray(logs) || logs.length > mostAnnouncements) throw unusable('an unusable list of logs')
    return logs
  } catch (error) {
    if (!(error instanceof ServiceError) || fromBlock === toBlock || halvings === 0 || left.calls < 2) throw error
    const middle = Math.floor((fromBlock + toBlock) / 2)
    const first = await readRange(rpc, { address, fromBlock, toBlock: middle }, left, halvings - 1)
    const second = await readRange(rpc, { address, fromBlock: middle + 1, toBlock }, left, halvings - 1)
    return [...first, ...second]
  }
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
  const fetched = await Promise.all(
    newest.map((cid) =>
      fetchCid(cid, 'list of builds').catch((error: unknown) => {
        if (error instanceof ServiceError) return null
        throw error
      }),
    ),
  )
  return fetched.filter((bytes) => bytes !== null)
}
