import { parseGwei } from 'viem'
import { expect, test } from 'vitest'
import { getProof } from '../../database/index.js'
import { installQuietRuntime } from '../../tests/rigs/workers/quietRuntime.js'
import { useChainRig } from '../../tests/rigs/publishing/useChainRig.js'

/* The records come from an older backup: the chain and the mempools are ahead of them. */

installQuietRuntime()
const rig = useChainRig()
const { eventsOf, offered, pinned, publish, slots } = rig

/** What the database loses that is restored from a backup taken when these proofs were pinned. */
async function restore(...slugs: string[]): Promise<void> {
  await rig.database.query(
    `UPDATE publications SET status = 'pending_onchain', slot_id = NULL, onchain_tx_hash = NULL,
       onchain_block_number = NULL, onchain_block_hash = NULL WHERE slug = ANY($1)`,
    [slugs],
  )
  await rig.database.query('DELETE FROM publisher_transactions')
  await rig.database.query('DELETE FROM publisher_slots')
}

test('a chain that is ahead of the table does not jam the next proofs, and published ones get no second event', async () => {
  const lost = [await pinned(), await pinned()]
  for (const { slug } of lost) await publish(slug)
  await restore(...lost.map(({ slug }) => slug))
  await rig.anvil.client.mine({ blocks: 80 }) // an event that we have no transaction for must be final
  const next = await pinned()
  for (const { slug } of [...lost, next]) await publish(slug)
  for (const { slug, txHash } of [...lost, next]) {
    expect(await eventsOf(txHash)).toHaveLength(1)
    expect(await getProof(rig.database, slug)).toMatchObject({ status: 'complete' })
  }
  expect((await slots()).map(({ nonce }) => nonce)).toEqual([1]) // both lost ones were in one batch
})

test('transactions that only the mempool remembers are waited for: no proof in them gets a second nonce', async () => {
  await rig.anvil.client.setAutomine(false)
  const [first, second] = [await pinned(), await pinned()]
  const before = [publish(first.slug, { maxBatch: 1 }), publish(second.slug, { maxBatch: 1 })]
  for (const work of before) work.catch(() => undefined) // the workers that followed them are gone with the old database
  await offered(2)
  await restore(first.slug, second.slug)
  // Whatever is offered now pays more than what the mempool has, and would take its place.
  const { baseFeePerGas } = await rig.anvil.client.getBlock()
  await rig.anvil.client.setNextBlockBaseFeePerGas({ baseFeePerGas: (baseFeePerGas ?? 0n) + parseGwei('1') })
  const after = [publish(second.slug, { maxBatch: 1 })]
  await new Promise((resolve) => setTimeout(resolve, 1500))
  expect(await slots()).toEqual([])
  after.push(publish(first.slug, { maxBatch: 1 }))
  await rig.anvil.client.setAutomine(true)
  await rig.anvil.client.mine({ blocks: 80 })
  await Promise.all(after)
  for (const { slug, txHash } of [first, second]) {
    expect(await eventsOf(txHash)).toHaveLength(1)
    expect(await getProof(rig.database, slug)).toMatchObject({ status: 'complete' })
  }
})
