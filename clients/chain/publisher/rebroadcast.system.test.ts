import { formatEther } from 'viem'
import { expect, test, vi } from 'vitest'
import type { Hex } from '@perigee/core'
import { findWaiting, type NewSlot } from '../../../database/index.js'
import { freshPublisher, fund } from '../../../tests/harness/index.js'
import { useChainRig } from '../../../tests/rigs/publishing/useChainRig.js'
import { createChain } from '../createChain.js'
import { createPublisher } from './createPublisher.js'

/* When a transaction is sent again, and when with higher fees. Every rebroadcast here finds its transaction old enough for a bump. */

const rig = useChainRig()

async function openUnmined({ bumpAfterMs = 0 } = {}) {
  await rig.anvil.client.setAutomine(false)
  const chain = createChain(rig.config({ bumpAfterMs }))
  const publisher = createPublisher(rig.database, chain)
  const { slug } = await rig.pinned()
  const room = await publisher.accountsWithRoom()
  const slot = (await publisher.open(await findWaiting(rig.database, slug, 1), room, null)) as NewSlot
  return { chain, slot, rebroadcast: () => publisher.rebroadcast(slot.sender) }
}

const offers = (): Promise<{ fee: string }[]> =>
  rig.database.query('SELECT max_fee_per_gas AS fee FROM publisher_transactions ORDER BY created_at DESC')

test('fees stop rising at about twice what the market asks, however long the chain stands still', async () => {
  const { chain, rebroadcast } = await openUnmined()
  const market = await chain.fees()
  for (let round = 0; round < 20; round++) await rebroadcast()
  const [newest] = await offers()
  expect(BigInt(newest?.fee ?? 0)).toBeGreaterThanOrEqual(2n * market.maxFeePerGas)
  expect(BigInt(newest?.fee ?? 0)).toBeLessThan(3n * market.maxFeePerGas)
})

test('an offer that the market accepts is not replaced by one that the account cannot pay', async () => {
  const { slot, rebroadcast } = await openUnmined()
  const [first] = await offers()
  const paid = BigInt(slot.gas) * BigInt(first?.fee ?? 0)
  await fund(slot.sender as Hex, formatEther(paid), rig.anvil.rpcUrl)
  await new Promise((resolve) => setTimeout(resolve, 1_100)) // a balance is remembered for a second
  await rebroadcast()
  expect(await offers()).toEqual([first])
})

test('the database’s clock decides when a transaction is old, whatever the clocks of workers say', async () => {
  const times = async () => {
    const rows = await rig.database.query<{ age: number }[]>(
      `SELECT extract(epoch FROM clock_timestamp() - created_at)::float8 AS age FROM publisher_slots
        UNION ALL SELECT extract(epoch FROM clock_timestamp() - created_at)::float8 FROM publisher_transactions`,
    )
    return rows.map(({ age }) => age)
  }
  const dayMs = 86_400_000
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() - dayMs })
  try {
    const { rebroadcast } = await openUnmined({ bumpAfterMs: dayMs / 2 })
    for (const age of await times()) expect(age).toBeLessThan(600)
    vi.setSystemTime(Date.now() + 2 * dayMs)
    await rebroadcast()
    expect(await offers()).toHaveLength(1)
  } finally {
    vi.useRealTimers()
  }
})

/** The mempool forgets the transaction of a key that was rotated away since. */
async function rotateAndDrop() {
  const changes = { publisherKeys: [await freshPublisher(rig.anvil.testChain)], bumpAfterMs: 0 }
  const { slot } = await openUnmined()
  const [sent] = await rig.database.query<[{ tx_hash: Hex }]>('SELECT tx_hash FROM publisher_transactions')
  await rig.anvil.client.dropTransaction({ hash: sent.tx_hash })
  return { slot, changes }
}

test('a dropped transaction of a key that is no longer configured is sent again as it is', async () => {
  const { slot, changes } = await rotateAndDrop()
  await createPublisher(rig.database, createChain(rig.config(changes))).rebroadcast(slot.sender)
  await rig.offered(1)
  expect(await offers()).toHaveLength(1)
})

test('the repair also serves keys that are no longer configured, while they have open nonces', async () => {
  const { changes } = await rotateAndDrop()
  await rig.env.run(rig.activities(changes).reopenReorged, { seconds: 3600 })
  await rig.offered(1)
})
