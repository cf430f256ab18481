import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { BrowserProvider, isCallException } from 'ethers'
import { encodeErrorResult, parseAbi } from 'viem'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { startInMemoryService, type InMemoryService } from '../testing/index.js'
import { fundedClient } from '../testing/testClient.js'
import { createEip1193Provider } from './createEip1193Provider.js'

const to = '0x00000000000000000000000000000000000000aa'
const abi = parseAbi(['error Error(string)'])
const data = encodeErrorResult({ abi, errorName: 'Error', args: ['not yours'] })
const message = 'execution reverted: not yours'
let service: InMemoryService
let node: Server
let code: number
beforeEach(async () => {
  code = 3 // as geth, anvil and reth answer
  service = await startInMemoryService()
  node = createServer((request, response) => void answer(request).then((text) => response.end(text)))
  await new Promise<void>((resolve) => node.listen(0, '127.0.0.1', resolve))
})
afterEach(async () => {
  node.close()
  node.closeAllConnections()
  await service.close()
})

/** A node on which every call reverts; the rest is the in-memory chain. */
async function answer(request: AsyncIterable<Buffer>): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk)
  const body = Buffer.concat(chunks).toString()
  const { id, method } = JSON.parse(body) as { id: number; method: string }
  if (/^eth_(call|estimateGas)$/.test(method)) {
    return JSON.stringify({ jsonrpc: '2.0', id, error: { code, message, data } })
  }
  const headers = { 'content-type': 'application/json' }
  return (await fetch(service.rpcUrl, { method: 'POST', headers, body })).text()
}

async function provider() {
  const rpcUrl = `http://127.0.0.1:${(node.address() as AddressInfo).port}`
  const { client } = await fundedClient(service, { rpcUrl })
  const made = createEip1193Provider({ client })
  await made.request({ method: 'eth_requestAccounts' })
  return made
}

test.each(['eth_call', 'eth_estimateGas'])('a revert of %s keeps the node’s code, message and data', async (method) => {
  const made = await provider()
  const request = () => made.request({ method, params: [{ to, data: '0x1234' }] })
  await expect(request()).rejects.toMatchObject({ code: 3, message, data })
  code = -32000 // other nodes' number, for which viem has a sentence of its own
  await expect(request()).rejects.toMatchObject({ code: -32000, message, data })
})

test('a transaction whose gas cannot be estimated says why, with the data', async () => {
  const made = await provider()
  const sent = made.request({ method: 'eth_sendTransaction', params: [{ to, data: '0x1234' }] })
  const refused = { code: -32603, message: expect.stringContaining('not yours'), data, cause: { code: 'rpc_error' } }
  await expect(sent).rejects.toMatchObject(refused)
})

test('ethers reads the reason of a revert', async () => {
  const ethers = new BrowserProvider(await provider())
  const error: unknown = await ethers.call({ to, data: '0x1234' }).catch((caught: unknown) => caught)
  expect(isCallException(error as Error) && error).toMatchObject({ reason: 'not yours', data })
})

test('errors that are no reverts have no data', async () => {
  const made = await provider()
  const refused = await made.request({ method: 'eth_sign' }).catch((error: unknown) => error)
  expect(refused).toMatchObject({ code: 4200, data: undefined })
})
