import { foundry } from 'viem/chains'
import type { Hex } from '@perigee/core'
import { createPublishingMeter } from '../../clients/createPublishingMeter.js'
import { chainDefaults } from '../../clients/chain/ChainConfig.js'
import { createChain } from '../../clients/chain/createChain.js'
import { createPublisher } from '../../clients/chain/publisher/createPublisher.js'
import { createChainActivities } from '../../activities/publishing/createChainActivities.js'
import { createPinActivities } from '../../activities/publishing/createPinActivities.js'
import { inParallel } from '../../clients/concurrency/inParallel.js'
import { createKuboNode } from '../../clients/ipfs/createKuboNode.js'
import { chainConfigOf, components, freshPublisher, openFresh } from '../../tests/harness/index.js'
import { runActivity } from '../../tests/rigs/workers/runActivity.js'
import { noEvidence, seedProof } from '../../tests/rigs/publishing/seedProof.js'
import { startAnvil } from '../../tests/rigs/servers/startAnvil.js'
import { figure, type Figure } from '../measure/Figure.js'
import { gasLimits, measureGas } from './gas.js'
import { inRounds } from '../measure/timing.js'

const waiting = 500
const blockSeconds = 1

/**
 * 500 waiting proofs on a chain with a block every second: pinned on Kubo, published in batches, followed for two
 * confirmations. One key, four transactions in flight and 32 receipts in each, which are the defaults.
 */
export async function draining(): Promise<Figure[]> {
  const anvil = await startAnvil()
  const [fresh, key] = await Promise.all([openFresh({ poolSize: 20 }), freshPublisher(anvil.testChain)])
  const { database } = fresh
  try {
    const alone = await measureGas({ ...anvil.testChain, publisherKey: await freshPublisher(anvil.testChain) })
    const contract = anvil.testChain.contractAddress.toLowerCase() as Hex
    const chain = createChain(chainConfigOf(anvil.testChain, key, { confirmations: 2, pollMs: 100 }))
    const meter = createPublishingMeter()
    const deps = { database, chain, publisher: createPublisher(database, chain), required: 1, meter }
    const activities = {
      ...createPinActivities({ ...deps, evidence: noEvidence, nodes: [createKuboNode(components().ipfsApiUrl)] }),
      ...createChainActivities(deps),
    }
    await anvil.client.setAutomine(false)
    await anvil.client.setIntervalMining({ interval: blockSeconds })

    const rounds = await inRounds(3, async () => {
      const slugs: string[] = []
      while (slugs.length < waiting) slugs.push((await seedProof(database, { chainId: foundry.id, contract })).slug)

      const pinStart = performance.now()
      await inParallel(16, slugs, async (slug) => void (await runActivity(activities.pinReceipt, { slug })))
      const pinSeconds = (performance.now() - pinStart) / 1000

      const [from, chainStart] = [await anvil.client.getBlockNumber(), performance.now()]
      await Promise.all(slugs.map((slug) => runActivity(activities.publishOnchain, { slug })))
      const chainSeconds = (performance.now() - chainStart) / 1000
      const blocks = Number((await anvil.client.getBlockNumber()) - from)

      const [row] = await database.query<{ slots: number; hashes: Hex[] }[]>(
        `SELECT count(DISTINCT slot_id)::int AS slots, array_agg(DISTINCT onchain_tx_hash) AS hashes
           FROM publications WHERE status = 'complete' AND slug = ANY($1)`,
        [slugs],
      )
      let gas = 0
      for (const hash of row?.hashes ?? []) gas += Number((await anvil.client.getTransactionReceipt({ hash })).gasUsed)
      return { pinSeconds, chainSeconds, blocks, slots: row?.slots ?? 0, gasEach: Math.ceil(gas / waiting) }
    })
    const of = (key: keyof (typeof rounds)[number]) => rounds.map((round) => round[key])
    const same = (value: number) => rounds.map(() => value)
    const { maxBatch, maxInFlight } = chainDefaults
    // Needed even if everything else took no time, and one more for the second confirmation.
    const least = Math.ceil(waiting / maxBatch / maxInFlight) + 1
    return [
      figure(`pinning ${waiting} receipts`, 's', of('pinSeconds')),
      figure(`draining ${waiting} waiting proofs, a block every ${blockSeconds} s`, 's', of('chainSeconds'), {
        against: { name: `the fewest blocks possible (${least})`, rounds: same(least * blockSeconds) },
        atMost: 4,
      }),
      figure('blocks from the first to the last', 'blocks', of('blocks')),
      figure('transactions used', 'transactions', of('slots'), {
        against: { name: `full batches of ${maxBatch}`, rounds: same(Math.ceil(waiting / maxBatch)) },
        atMost: 1.5,
      }),
      figure('gas per receipt, drained', 'gas', of('gasEach'), {
        against: { name: 'one receipt alone', rounds: same(alone.single) },
        atMost: 0.35,
      }),
      figure('gas of one receipt alone', 'gas', [alone.single], { atMost: gasLimits.single }),
      figure('gas per receipt in a batch of 32', 'gas', [alone.batchOf32], { atMost: gasLimits.batchOf32 }),
    ]
  } finally {
    await fresh.close()
    await anvil.close()
  }
}
