import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { encodeAbiParameters, encodeEventTopics } from 'viem'
import { attestationPublished } from '@perigee/core/proof'
import type { PublishedEvent } from '@perigee/core/receipt/verify'

type Answer = { status?: number; type?: string; body: string | Uint8Array }
export interface TestServer {
  url: string
  /** Paths asked for, in order. */
  asked: string[]
  close(): Promise<void>
}

/** An HTTP server on a free port. */
export async function serve(answer: (path: string, body: string) => Answer | null): Promise<TestServer> {
  const asked: string[] = []
  const server: Server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      asked.push(request.url ?? '')
      const found = answer(request.url ?? '', Buffer.concat(chunks).toString()) ?? { status: 404, body: 'not found' }
      response.writeHead(found.status ?? 200, { 'content-type': found.type ?? 'application/json' })
      response.end(found.body)
    })
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const { port } = server.address() as AddressInfo
  const close = () =>
    new Promise<void>((done) => {
      server.closeAllConnections()
      server.close(() => done())
    })
  return { url: `http://127.0.0.1:${port}`, asked, close }
}

/** A trustless gateway: raw blocks by CID, nothing else. */
export function serveBlocks(blocks: Record<string, Uint8Array>): Promise<TestServer> {
  return serve((path) => {
    const match = /^\/ipfs\/(b[a-z2-7]+)\?format=raw$/.exec(path)
    const body = blocks[match?.[1] ?? '']
    return body === undefined ? null : { type: 'application/vnd.ipld.raw', body }
  })
}

const abi = [attestationPublished]
const blockHash = `0x${'0c'.repeat(32)}`

/** A node that holds these events and filters them by address, topic and block as eth_getLogs does. */
export function serveChain(events: readonly PublishedEvent[], maxRange = Infinity): Promise<TestServer> {
  const latest = Math.max(0, ...events.map((event) => event.blockNumber + event.confirmations - 1))
  const hex = (value: number) => `0x${value.toString(16)}`
  const getLogs = (filter: { address: string; topics: (string | null)[]; fromBlock: string }) => {
    if (latest - Number(filter.fromBlock) > maxRange) throw new Error('block range too large')
    return events
      .map((event) => ({
        address: event.contract,
        topics: encodeEventTopics({ abi, eventName: 'AttestationPublished', args: event }),
        data: encodeAbiParameters([{ type: 'string' }], [event.ipfsCid]),
        blockNumber: hex(event.blockNumber),
        blockHash,
        transactionHash: event.transactionHash,
        removed: false,
      }))
      .filter((log) => log.address === filter.address && Number(log.blockNumber) >= Number(filter.fromBlock))
      .filter((log) => filter.topics.every((topic, index) => topic === null || topic === log.topics[index]))
  }
  const call = (method: string, params: never[]): unknown => {
    if (method === 'eth_chainId') return hex(events[0]?.chainId ?? 31337)
    if (method === 'eth_blockNumber') return hex(latest)
    if (method === 'eth_getLogs') return getLogs(params[0]!)
    if (method !== 'eth_getBlockByNumber') throw new Error(`method ${method} is not known`)
    return { hash: blockHash, timestamp: hex(events[0]?.blockTimestamp ?? 0) }
  }
  return serve((_, body) => {
    const { id, method, params } = JSON.parse(body) as { id: number; method: string; params: never[] }
    try {
      return { body: JSON.stringify({ jsonrpc: '2.0', id, result: call(method, params) }) }
    } catch (error) {
      return {
        body: JSON.stringify({ jsonrpc: '2.0', id, error: { code: -32000, message: (error as Error).message } }),
      }
    }
  })
}
