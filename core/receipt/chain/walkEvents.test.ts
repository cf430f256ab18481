import { expect, test } from 'vitest'
import type { Hex } from '../../bytes/index.js'
import { ServiceError } from '../../errors/index.js'
import { nodeOf } from '../gather/testing/nodeOf.js'
import type { PublishedEvent } from '../verify/index.js'
import { walkEvents, type Walk } from './walkEvents.js'

const contract: Hex = `0x${'f0'.repeat(20)}`
const wallet: Hex = `0x${'aa'.repeat(20)}`
const hash = (number: number): Hex => `0x${number.toString(16).padStart(64, '0')}`
const eventOf = (number: number): PublishedEvent => ({
  chainId: 31337,
  contract,
  wallet,
  txHash: hash(number + 1),
  ipfsCid: 'bafy',
  transactionHash: hash(number + 1),
  blockNumber: 10 * number,
  blockTimestamp: 1_794_700_800,
  confirmations: 3,
})
const walk: Walk = { contract, wallet, fromBlock: 0, toBlock: 9_999 }

async function windowsOf(rpc: Parameters<typeof walkEvents>[0], given: Walk = walk) {
  const windows: { toBlock: number; count: number }[] = []
  for await (const { toBlock, found } of walkEvents(rpc, given)) windows.push({ toBlock, count: found.length })
  return windows
}

test('halves the window until the node answers, misses no block, and grows again', async () => {
  const events = Array.from({ length: 1000 }, (_, number) => eventOf(number))
  expect(await windowsOf(nodeOf(events))).toEqual([{ toBlock: 9_999, count: 1000 }])
  const small = await windowsOf(nodeOf(events, { maxRange: 200 }))
  expect(small.reduce((sum, { count }) => sum + count, 0)).toBe(1000)
  expect(small.at(-1)!.toBlock).toBe(9_999)
  expect(small.length).toBeLessThan(120)
})

test('gives up on a node that refuses even a short window', async () => {
  let calls = 0
  const broken = async () => {
    calls += 1
    throw new ServiceError('chain_unavailable', 'no')
  }
  await expect(windowsOf(broken)).rejects.toMatchObject({ code: 'chain_unavailable' })
  expect(calls).toBeLessThan(14)
})

test('refuses logs out of order or outside the window', async () => {
  const honest = nodeOf([eventOf(1), { ...eventOf(2), blockNumber: 12 }])
  const reversed = async (method: string, params: unknown[]) =>
    ((await honest(method, params)) as unknown[]).slice().reverse()
  await expect(windowsOf(reversed)).rejects.toMatchObject({ code: 'chain_unavailable' })
  const ignoring = (method: string) => honest(method, [{ address: contract, topics: [], fromBlock: '0x0' }])
  await expect(windowsOf(ignoring, { ...walk, toBlock: 11 })).rejects.toMatchObject({ code: 'chain_unavailable' })
})
