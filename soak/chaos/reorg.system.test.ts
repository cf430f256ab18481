import { setTimeout as sleep } from 'node:timers/promises'
import { parseEther } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { foundry } from 'viem/chains'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startForgingRpc } from '../../tests/rigs/servers/startForgingRpc.js'
import { startAnvil } from '../../tests/rigs/servers/startAnvil.js'
import { reorg } from './reorg.js'

let anvil: Awaited<ReturnType<typeof startAnvil>>
beforeAll(async () => {
  anvil = await startAnvil()
})
afterAll(() => anvil.close())

test('automatic mining stops during a reorg and then goes on', async () => {
  await anvil.client.mine({ blocks: 10 })
  const seen: boolean[] = []
  const rpc = await startForgingRpc(anvil.rpcUrl, {
    async anvil_reorg(_params, truly) {
      seen.push(await anvil.client.getAutomine())
      return truly()
    },
  })
  expect(await reorg(rpc.url, 3)).toBeNull()
  await rpc.close()
  expect(seen).toEqual([false])
  expect(await anvil.client.getAutomine()).toBe(true)
})

test('the blocks after a reorg have the time of day', async () => {
  const { client } = anvil
  const behind = async (): Promise<number> => Date.now() / 1000 - Number((await client.getBlock()).timestamp)
  await client.mine({ blocks: 1, interval: 0 })
  await sleep(3_000)
  await client.mine({ blocks: 3 })
  expect(await reorg(anvil.rpcUrl, 3)).toBeNull()
  await client.mine({ blocks: 1 })
  expect(await behind()).toBeLessThan(2)
})

// Without the pause this fails in some runs only, so the test above checks the pause itself.
test('reorgs under load leave a block at every height and no transaction in two blocks', async () => {
  const { client } = anvil
  const account = privateKeyToAccount(generatePrivateKey())
  await client.setBalance({ address: account.address, value: parseEther('100') })
  await client.mine({ blocks: 10 }) // deeper than any reorg below
  let isSending = true
  const sender = (async () => {
    while (isSending) {
      const nonce = await client.getTransactionCount({ address: account.address })
      const fees = { gas: 21_000n, maxFeePerGas: 50_000_000_000n, maxPriorityFeePerGas: 1_000_000_000n }
      const call = { type: 'eip1559', chainId: foundry.id, nonce, to: account.address, ...fees } as const
      const serializedTransaction = await account.signTransaction(call)
      await client.sendRawTransaction({ serializedTransaction }).catch(() => undefined) // it may be there already
      await sleep(2)
    }
  })()
  for (let n = 0; n < 20; n++) {
    expect(await reorg(anvil.rpcUrl, 3)).toBeNull()
    await sleep(20)
  }
  isSending = false
  await sender
  const head = await client.getBlockNumber()
  const mined: string[] = []
  for (let blockNumber = 0n; blockNumber <= head; blockNumber++) {
    mined.push(...(await client.getBlock({ blockNumber })).transactions)
  }
  expect(mined.length).toBeGreaterThan(0)
  expect(new Set(mined).size).toBe(mined.length)
})

test('refuses a reorg deeper than the chain, which goes on', async () => {
  const before = await anvil.client.getBlockNumber()
  expect(await reorg(anvil.rpcUrl, 1_000_000)).toEqual(expect.any(String))
  expect(await anvil.client.getBlockNumber()).toBe(before)
  expect(await anvil.client.getAutomine()).toBe(true)
})
