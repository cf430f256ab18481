import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Hex } from '@perigee/core'
import { chainConfigOf } from '../../tests/harness/index.js'
import { createFaultyProxy, type FaultyProxy } from '../../tests/rigs/servers/createFaultyProxy.js'
import { startAnvil } from '../../tests/rigs/servers/startAnvil.js'
import { createChain } from './createChain.js'

let anvil: Awaited<ReturnType<typeof startAnvil>>
let proxy: FaultyProxy
let head: number
let headMs: number
beforeAll(async () => {
  anvil = await startAnvil()
  proxy = await createFaultyProxy(anvil.rpcUrl)
  await anvil.client.mine({ blocks: 400, interval: 60 })
  const { number, timestamp } = await anvil.client.getBlock()
  ;[head, headMs] = [Number(number), Number(timestamp) * 1000]
})
afterAll(() => Promise.all([proxy.close(), anvil.close()]))

/** Blocks before this one have expired: the RPC refuses questions about them. */
function expireBefore(block: number): void {
  proxy.set('refuse', (body) => {
    const asked = body.includes('eth_getBlockByNumber') || body.includes('eth_getLogs')
    return asked && [...body.matchAll(/"(0x[0-9a-f]{1,6})"/g)].some(([, number]) => Number(number) < block)
  })
}
const find = (createdAt: Date, contractBlock: number) => {
  const config = chainConfigOf(anvil.testChain, `0x${'11'.repeat(32)}`, { rpcUrls: [proxy.url], contractBlock })
  const [wallet, txHash]: [Hex, Hex] = [`0x${'22'.repeat(20)}`, `0x${'33'.repeat(32)}`]
  return createChain(config).publishedCid({ wallet, txHash, createdAt, contract: config.contract })
}

test('an RPC whose old blocks have expired is enough for a new proof', async () => {
  expireBefore(head - 200)
  expect(await find(new Date(headMs), 0)).toBeNull()
  await expect(find(new Date(0), 0)).rejects.toMatchObject({ code: 'chain_unavailable' }) // and nothing is taken for granted
})

test('no block from before the contract is asked for', async () => {
  expireBefore(head - 300)
  expect(await find(new Date(0), head - 300)).toBeNull()
})
