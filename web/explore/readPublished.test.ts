import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { encodeAbiParameters, encodeEventTopics, numberToHex, type Hex } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { WebConfig } from '../config/WebConfig.js'
import { attestationPublished } from '@perigee/core/proof'
import { readPublished } from './readPublished.js'

const wallet: Hex = `0x${'aa'.repeat(20)}`
const contract: Hex = `0x${'c0'.repeat(20)}`
const former: Hex = `0x${'f0'.repeat(20)}` // its events are in the blocks before 1000
const hash = (block: number): Hex => `0x${block.toString(16).padStart(64, '0')}`
const blocks = [7, 39_999, 40_001, 99_999]
const latest = 100_000

// A public node: it refuses to search more than 5000 blocks in one call.
let server: Server
let config: WebConfig
let refused = 0
beforeAll(async () => {
  server = createServer((request, response) => {
    let text = ''
    request.setEncoding('utf8').on('data', (part: string) => (text += part))
    request.on('end', () => {
      const { id, params } = JSON.parse(text) as { id: number; params?: [Filter] }
      response.setHeader('content-type', 'application/json')
      response.end(JSON.stringify({ jsonrpc: '2.0', id, ...answer(params ?? []) }))
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const rpcUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  config = { rpcUrl, contracts: [contract, former], chainId: 31337 } as unknown as WebConfig
})
afterAll(() => {
  server.close()
  server.closeAllConnections()
})

interface Filter {
  address: Hex[]
  fromBlock: Hex
  toBlock: Hex
}
function answer([filter]: [Filter] | []): object {
  if (filter === undefined) return { result: numberToHex(latest) }
  const [from, to] = [Number(filter.fromBlock), Number(filter.toBlock)]
  if (to - from >= 5000) {
    refused++
    return { error: { code: -32602, message: 'block range too large' } }
  }
  const found = blocks.filter((block) => block >= from && block <= to).map(logAt)
  return { result: found.filter(({ address }) => filter.address.includes(address)) }
}
function logAt(block: number) {
  return {
    address: block < 1000 ? former : contract,
    topics: encodeEventTopics({ abi: [attestationPublished], args: { wallet, txHash: hash(block) } }),
    data: encodeAbiParameters([{ type: 'string' }], [`cid ${block}`]),
    blockNumber: numberToHex(block),
    blockHash: hash(block),
    transactionHash: hash(block),
    transactionIndex: '0x0',
    logIndex: '0x0',
    removed: false,
  }
}

test('a node that refuses a whole search is searched in parts, newest first, and the rest on request', async () => {
  const found = await readPublished(config, { wallet })
  expect(refused).toBeGreaterThan(0)
  expect(found.from).toBe(40_001) // twelve parts; the visitor is told where the search stopped
  expect(found.events.map(({ ipfsCid }) => ipfsCid)).toEqual(['cid 99999', 'cid 40001'])
  const older = await readPublished(config, { wallet }, found.from)
  expect(older.from).toBe(0)
  expect(older.events.map(({ ipfsCid }) => ipfsCid)).toEqual(['cid 39999', 'cid 7'])
})

test('events of the contracts before today’s are found too, where they are configured', async () => {
  const search = async (...contracts: Hex[]) =>
    (await readPublished({ ...config, contracts }, { wallet }, 4000)).events.map(({ ipfsCid }) => ipfsCid)
  expect(await search(contract)).toEqual([])
  expect(await search(contract, former)).toEqual(['cid 7'])
})

test('without a contract nothing is searched', async () => {
  await expect(readPublished({ ...config, contracts: [] }, { wallet })).rejects.toMatchObject({
    code: 'evidence_missing',
  })
})
