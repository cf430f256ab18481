import { readFileSync } from 'node:fs'
import { createPublicClient, http } from 'viem'
import type { Hex } from '@perigee/core'
import { parseTrustAnchors, type TrustAnchors } from '@perigee/core/receipt'
import { readReleases } from '@perigee/core/receipt/gather'
import { openDatabase } from '../../database/index.js'
import { readLines } from '../load/jsonLines.js'
import type { Evidence, PublisherState } from './Evidence.js'
import { readAuditLog, readChain } from './readChain.js'
import { readDatabase } from './readDatabase.js'
import { readBlock, readIpfs } from './readIpfs.js'
import { readTemporal } from './readTemporal.js'
import type { RunFile } from './RunFile.js'
import type { TemporalPlace } from '../withTemporal.js'
import { scanFiles } from './leaks/scanFiles.js'

/** Reads every store directly, not through the proxies. */
export async function gatherEvidence(run: RunFile): Promise<Evidence> {
  const { stack, needles, share } = run
  const anchors = parseTrustAnchors(JSON.parse(readFileSync(run.trustAnchors, 'utf8')))
  const database = await openDatabase({ url: stack.databaseUrl })
  try {
    const { slots, ...fromDatabase } = await readDatabase(database)
    const senders = [...new Set(slots.map(({ sender }) => sender))]
    const address = stack.contractAddress.toLowerCase() as Hex
    const { mined, ...fromChain } = await readChain(stack.rpcUrl, address, senders)
    const contract = { chainId: stack.chainId, address }
    const auditFaults = [...fromDatabase.auditFaults, ...(await readAuditLog(database, stack.rpcUrl, contract))]
    const cids = fromDatabase.records.flatMap(({ cid }) => (cid === null ? [] : [cid]))
    const fromIpfs = await readIpfs(stack.ipfsApiUrl, cids)
    const { leaks, workflows } = await readTemporals(run)
    const folders = run.temporalFiles === null ? [run.logs] : [run.logs, run.temporalFiles]
    const inFiles = (
      await Promise.all(folders.map((folder) => scanFiles(folder, { ...needles, ...run.fileNeedles })))
    ).flat()
    return {
      acknowledged: readLines(run.clientLog),
      ...fromDatabase,
      ...fromChain,
      ...fromIpfs,
      auditFaults,
      webhooks: readLines(run.webhooks),
      share,
      workflows,
      leaks: [...leaks, ...inFiles],
      publishers: senders.map((sender): PublisherState => {
        const own = slots.filter((slot) => slot.sender === sender).map(({ nonce, state }) => ({ nonce, state }))
        return { sender, slots: own, mined: mined.get(sender) ?? 0 }
      }),
      anchors,
      releases: await readLists(stack, anchors, fromChain.head),
      contract,
    }
  } finally {
    await database.destroy()
  }
}

/** Of a workflow that ran on two servers, the later one counts. */
async function readTemporals({ stack, formerTemporal, codecKeys, needles }: RunFile) {
  const read = (temporal: TemporalPlace) => readTemporal(temporal, codecKeys, needles)
  const [former, latter] = [formerTemporal && (await read(formerTemporal)), await read(stack)]
  const byId = new Map([...(former?.workflows ?? []), ...latter.workflows].map((run) => [run.id, run]))
  return { workflows: [...byId.values()], leaks: [...(former?.leaks ?? []), ...latter.leaks] }
}

async function readLists({ rpcUrl, ipfsApiUrl }: RunFile['stack'], anchors: TrustAnchors, head: number) {
  const { request } = createPublicClient({ transport: http(rpcUrl, { timeout: 60_000 }) })
  const sources = {
    rpc: (method: string, params: unknown[]): Promise<unknown> => request({ method, params } as never),
    fetchCid: (cid: string) => readBlock(ipfsApiUrl, cid),
  }
  const { announcements, lists } = await readReleases(sources, { anchors }, head)
  return { announcements: [...announcements], lists: lists.map((list) => Buffer.from(list).toString('base64')) }
}
