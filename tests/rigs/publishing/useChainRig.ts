import type { Hex } from 'viem'
import { foundry } from 'viem/chains'
import type { DataSource } from 'typeorm'
import { afterAll, beforeAll, beforeEach, expect } from 'vitest'
import { attestationPublished } from '@perigee/core/proof'
import { createPublishingMeter } from '../../../clients/createPublishingMeter.js'
import type { OnchainPlace } from '../../../database/index.js'
import { chainConfigOf, freshPublisher, openFresh } from '../../harness/index.js'
import { runActivity } from '../workers/runActivity.js'
import { pinSeeded, seedProof } from './seedProof.js'
import { startAnvil } from '../servers/startAnvil.js'
import { createChainActivities } from '../../../activities/publishing/createChainActivities.js'
import type { ChainConfig } from '../../../clients/chain/ChainConfig.js'
import { createChain } from '../../../clients/chain/createChain.js'
import { createPublisher } from '../../../clients/chain/publisher/createPublisher.js'

/**
 * A chain for a whole test file, and for each test its own database and publishing key. With `oldRights` the key became a
 * publisher before any block that a test reorgs.
 */
export function useChainRig({ oldRights = false } = {}) {
  let fresh: Awaited<ReturnType<typeof openFresh>> | undefined
  const rig = {} as { anvil: Awaited<ReturnType<typeof startAnvil>>; database: DataSource; key: Hex }
  beforeAll(async () => {
    rig.anvil = await startAnvil()
  })
  afterAll(async () => {
    await fresh?.close()
    await rig.anvil.close()
  })
  beforeEach(async () => {
    await rig.anvil.client.setAutomine(true)
    await fresh?.close()
    ;[fresh, rig.key] = await Promise.all([openFresh(), freshPublisher(rig.anvil.testChain)])
    rig.database = fresh.database
    if (oldRights) await rig.anvil.client.mine({ blocks: 10 })
  })

  const config = (changes: Partial<ChainConfig> = {}) => chainConfigOf(rig.anvil.testChain, rig.key, changes)
  const env = { run: runActivity }
  const activities = (changes: Partial<ChainConfig> = {}) => {
    const chain = createChain(config(changes))
    const publisher = createPublisher(rig.database, chain)
    return createChainActivities({ database: rig.database, chain, publisher, meter: createPublishingMeter() })
  }
  async function countOffered(): Promise<number> {
    const newest: { tx_hash: Hex }[] = await rig.database.query(
      'SELECT DISTINCT ON (slot_id) tx_hash FROM publisher_transactions ORDER BY slot_id, created_at DESC',
    )
    const known = newest.map(({ tx_hash: hash }) => rig.anvil.client.getTransaction({ hash }).catch(() => null))
    return (await Promise.all(known)).filter(Boolean).length
  }
  return Object.assign(rig, {
    config,
    activities,
    env,
    publish: (slug: string, changes: Partial<ChainConfig> = {}): Promise<OnchainPlace> =>
      env.run(activities(changes).publishOnchain, { slug }),
    /** Every nonce that was given out. */
    slots: (): Promise<{ nonce: number; state: string; calldata: string; sender: Hex }[]> =>
      rig.database.query('SELECT nonce::int, state, calldata, sender FROM publisher_slots ORDER BY sender, nonce'),
    /** Waits until this many nonces are given out and the node has a transaction for each. */
    offered: (count: number) => expect.poll(countOffered, { message: 'transactions that the node has' }).toBe(count),
    pin: (slug: string) => pinSeeded(rig.database, slug),
    /** A proof whose receipt is pinned. */
    async pinned(given: Parameters<typeof seedProof>[2] = {}) {
      const place = { chainId: foundry.id, contract: rig.anvil.testChain.contractAddress }
      const input = await seedProof(rig.database, place, given)
      await pinSeeded(rig.database, input.slug)
      return input
    },
    eventsOf: (txHash: Hex) =>
      rig.anvil.client.getLogs({ event: attestationPublished, args: { txHash }, fromBlock: 0n }),
  })
}
