import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect, test } from 'vitest'
import { cidOf, type Hex } from '../../bytes/index.js'
import { nodeOf } from '../gather/testing/nodeOf.js'
import { anchorsOf, createSimulatedWorld } from '../testing/simulatedWorld.js'
import type { PublishedEvent } from '../verify/index.js'
import { checkWallet } from './checkWallet.js'

const wallet: Hex = `0x${'aa'.repeat(20)}`
const hash = (number: number): Hex => `0x${number.toString(16).padStart(64, '0')}`

/** As large as a receipt, and none. */
function made(number: number): Uint8Array {
  const bytes = new Uint8Array(20_000)
  new DataView(bytes.buffer).setUint32(0, number)
  return bytes
}

const eventOf = (number: number): PublishedEvent => ({
  chainId: 31337,
  contract: `0x${'f0'.repeat(20)}`,
  wallet,
  txHash: hash(number + 1),
  ipfsCid: cidOf(made(number)),
  transactionHash: hash(number + 1),
  blockNumber: 10 * number,
  blockTimestamp: 1_794_700_800,
  confirmations: 3,
})

test('ten thousand receipts need bounded memory', async () => {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  const count = 10_000
  const events = Array.from({ length: count }, (_, number) => eventOf(number))
  const numbers = new Map(events.map(({ ipfsCid }, number) => [ipfsCid, number]))
  const node = nodeOf(events)
  const world = await createSimulatedWorld()
  const used = () => {
    collect()
    const { heapUsed, arrayBuffers } = process.memoryUsage()
    return (heapUsed + arrayBuffers) / 1024 ** 2
  }
  const before = used()
  let [most, rows, open, mostOpen] = [0, 0, 0, 0]
  const verdict = await checkWallet(
    wallet,
    {
      // The node of other tests searches its list for every block.
      rpc: async (method, params) => {
        if (method !== 'eth_getBlockByNumber')
          return method === 'eth_getTransactionCount' ? '0x0' : node(method, params)
        return { hash: `0x${'0c'.repeat(32)}`, timestamp: '0x6af8e580' }
      },
      fetchCid: async (cid) => {
        mostOpen = Math.max(mostOpen, ++open)
        await Promise.resolve()
        open -= 1
        return made(numbers.get(cid)!)
      },
    },
    {
      anchors: anchorsOf(world),
      now: 1_800_000_000,
      onRow: () => {
        rows += 1
        if (rows % 2000 === 0) most = Math.max(most, used() - before)
      },
    },
  )
  expect(rows).toBe(count)
  expect(verdict).toMatchObject({ verified: false, receipts: count, verifiedReceipts: 0 })
  expect(verdict.findings.length + verdict.moreFindings).toBe(count + 1)
  expect(mostOpen).toBeLessThanOrEqual(8)
  expect(most).toBeLessThan(40) // their bytes alone are 190 MB
})
