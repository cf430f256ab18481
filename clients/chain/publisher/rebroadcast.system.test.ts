import { formatEther } from 'viem'
import { expect, test } from 'vitest'
import type { Hex } from '@perigee/core'
import { findWaiting, type PublisherSlot } from '../../../database/index.js'
import { fund } from '../../../tests/harness/index.js'
import { useChainRig } from '../../../tests/rigs/publishing/useChainRig.js'
import { createChain } from '../createChain.js'
import { createPublisher } from './createPublisher.js'

/* When a fee bump is of use. Every rebroadcast here finds its transaction old enough for one. */

const rig = useChainRig()

async function openUnmined() {
  await rig.anvil.client.setAutomine(false)
  const chain = createChain(rig.config({ bumpAfterMs: 0 }))
  const publisher = createPublisher(rig.database, chain)
  const { slug } = await rig.pinned()
  const room = await publisher.accountsWithRoom()
  const slot = (await publisher.open(await findWaiting(rig.database, slug, 1), room, null)) as PublisherSlot
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
