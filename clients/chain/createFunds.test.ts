import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { createFunds } from './createFunds.js'

const wallet = '0x00000000000000000000000000000000000000aa'
const servers: Server[] = []
afterEach(async () => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  }
})

/** An RPC that answers with this, or not at all. `asked` counts its requests. */
async function startRpc(answer: () => string | null, location?: string) {
  const rpc = { url: '', asked: 0 }
  const server = createServer((_req, res) => {
    rpc.asked += 1
    const text = answer()
    if (location) res.writeHead(307, { location })
    if (text !== null) res.end(text)
  })
  servers.push(server)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  rpc.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return rpc
}

const balance = (wei: bigint) => JSON.stringify({ jsonrpc: '2.0', id: 1, result: `0x${wei.toString(16)}` })

function fundsAt(...urls: string[]) {
  const warnings: unknown[] = []
  const funds = createFunds(new Map([[1, urls]]), { warn: (...line: unknown[]) => void warnings.push(line) })
  return { shortOf: (needed: bigint) => funds.shortOf(1, wallet, needed), funds, warnings }
}

test('says the balance when it is not enough, and believes one that is for a while', async () => {
  const rpc = await startRpc(() => balance(100n))
  const { shortOf } = fundsAt(rpc.url)
  expect(await shortOf(101n)).toBe(100n)
  expect(await shortOf(100n)).toBeNull()
  expect(rpc.asked).toBe(2)
  expect(await shortOf(99n)).toBeNull()
  expect(rpc.asked).toBe(2)
  expect(await shortOf(101n)).toBe(100n)
})

test('one RPC that sees enough is enough; otherwise the highest balance counts', async () => {
  const [poor, rich, silent] = [
    await startRpc(() => balance(1n)),
    await startRpc(() => balance(50n)),
    await startRpc(() => null),
  ]
  expect(await fundsAt(poor.url, rich.url, silent.url).shortOf(50n)).toBeNull()
  expect(await fundsAt(poor.url, rich.url).shortOf(51n)).toBe(50n)
})

test('an RPC that does not answer, or answers nonsense, stops nothing and is left alone for a while', async () => {
  const answers = [() => null, () => 'no JSON', () => '{"error":{"code":-32000}}', () => '{"result":"lots"}']
  for (const answer of answers) {
    const rpc = await startRpc(answer)
    const { shortOf, warnings } = fundsAt(rpc.url)
    const started = performance.now()
    expect(await shortOf(1n)).toBeNull()
    expect(performance.now() - started).toBeLessThan(1_900)
    expect(await shortOf(1n)).toBeNull()
    expect([rpc.asked, warnings.length]).toEqual([1, 1])
  }
})

test('no redirect is followed', async () => {
  const other = await startRpc(() => balance(1n))
  const rpc = await startRpc(() => '', other.url)
  expect(await fundsAt(rpc.url).shortOf(2n)).toBeNull()
  expect([rpc.asked, other.asked]).toEqual([1, 0])
})

test('a chain without an RPC is not asked about', async () => {
  expect(await fundsAt().funds.shortOf(2, wallet, 1n)).toBeNull()
})

test('a provider’s key in the address is not logged', async () => {
  const rpc = await startRpc(() => 'no JSON')
  const { shortOf, warnings } = fundsAt(`${rpc.url.replace('http://', 'http://user:s3cret@')}/v3/s3cret`)
  await shortOf(1n)
  expect(warnings).toHaveLength(1)
  expect(JSON.stringify(warnings)).not.toContain('s3cret')
})
