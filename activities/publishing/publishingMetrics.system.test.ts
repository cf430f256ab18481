import { MockActivityEnvironment } from '@temporalio/testing'
import { DefaultLogger } from '@temporalio/worker'
import { pino } from 'pino'
import { privateKeyToAccount } from 'viem/accounts'
import { foundry } from 'viem/chains'
import { expect, test } from 'vitest'
import type { Hex } from '@perigee/core'
import { openDatabase, type OnchainPlace } from '../../database/index.js'
import { freePort } from '../../dev/stack/processes/freePort.js'
import { chainConfigOf, components, freshDatabase, freshPublisher, fund } from '../../tests/harness/index.js'
import { installRuntimeWithMetrics } from '../../tests/rigs/workers/quietRuntime.js'
import { noEvidence, seedProof } from '../../tests/rigs/publishing/seedProof.js'
import { startAnvil } from '../../tests/rigs/servers/startAnvil.js'
import { createChain } from '../../clients/chain/createChain.js'
import { createPublisher } from '../../clients/chain/publisher/createPublisher.js'
import { createChainActivities } from './createChainActivities.js'
import { createPinActivities } from './createPinActivities.js'
import { createKuboNode } from '../../clients/ipfs/createKuboNode.js'
import { createPublishingMeter } from '../../clients/createPublishingMeter.js'
import { monitorPublishers } from '../../clients/chain/publisher/monitorPublishers.js'

test('the worker’s Prometheus page shows what waits, nonce, in flight, bumps, confirmation time, balance, pins by node and repairs', async () => {
  const bindAddress = `127.0.0.1:${await freePort()}`
  const runtime = await installRuntimeWithMetrics(bindAddress)
  const anvil = await startAnvil()
  const [fresh, key] = await Promise.all([freshDatabase(), freshPublisher(anvil.testChain)])
  const database = await openDatabase({ url: fresh.url })
  const contract = anvil.testChain.contractAddress.toLowerCase() as Hex
  const chain = createChain(chainConfigOf(anvil.testChain, key, { bumpAfterMs: 100 }))
  const meter = createPublishingMeter(runtime.metricMeter)
  const publisher = createPublisher(database, chain, meter)
  const nodes = [createKuboNode(components().ipfsApiUrl), createKuboNode('http://127.0.0.1:9', 500)]
  const pinsOn = (...to: typeof nodes) =>
    createPinActivities({ database, evidence: noEvidence, chain, nodes: to, required: 1, meter })
  const pins = pinsOn(...nodes)
  const activities = createChainActivities({ database, chain, publisher, meter })
  const env = new MockActivityEnvironment(undefined, { logger: new DefaultLogger('ERROR') })
  const log = pino({ level: 'silent' })
  const { address } = privateKeyToAccount(key)
  const sender = address.toLowerCase()

  const proof = await seedProof(database, { chainId: foundry.id, contract })
  await seedProof(database, { chainId: foundry.id, contract }) // it waits
  await env.run(pins.pinReceipt, { slug: proof.slug })
  await anvil.client.setAutomine(false)
  const done = env.run(activities.publishOnchain, { slug: proof.slug }) as Promise<OnchainPlace>
  await expect
    .poll(async () => (await database.query('SELECT 1 FROM publisher_transactions')).length)
    .toBeGreaterThan(1) // offered again
  const watching = { database, chain, publisher, meter, log, minimumWei: 10n ** 16n }
  const watch = async () => monitorPublishers(watching).stop()

  const value = async (name: string, ...labels: string[]): Promise<number | undefined> => {
    const page = await (await fetch(`http://${bindAddress}/metrics`)).text()
    const lines = page.split('\n').filter((text) => text.startsWith(`perigee_publish_${name}`))
    const line = lines.find((text) => labels.every((label) => text.includes(label)))
    return line === undefined ? undefined : Number(line.split(' ').at(-1))
  }
  const from = `sender="${sender}"`
  expect(await value('repaired_at')).toBeUndefined() // a worker that only has the meter says nothing about repairs
  await watch()
  expect(await value('in_flight', from)).toBe(1)
  expect(await value('nonce', from)).toBe(0)
  expect(await value('waiting', 'status="pending_onchain"')).toBe(1)
  expect(await value('waiting', 'status="pending_pin"')).toBe(1)
  expect(await value('bumps', from)).toBeGreaterThanOrEqual(1)

  await anvil.client.setAutomine(true)
  await anvil.client.mine({ blocks: 1 })
  const { onchainTxHash } = await done
  await fund(address, '0.005', anvil.rpcUrl)
  await watch()
  expect(await value('in_flight', from)).toBe(0)
  expect(await value('nonce', from)).toBe(1)
  expect(await value('balance_gwei', from)).toBe(5_000_000)
  expect(await value('balance_low', from)).toBe(1)
  const paid = await anvil.client.getTransactionReceipt({ hash: onchainTxHash })
  const perDay = (paid.gasUsed * paid.effectiveGasPrice) / 7n
  expect(await value('spent_gwei_per_day', from)).toBe(Number(perDay / 1_000_000_000n))
  expect(await value('balance_days', from)).toBe(Math.min(3650, Number((5n * 10n ** 15n) / perDay)))
  expect(await value('waiting', 'status="pending_onchain"')).toBe(0)
  expect(await value('confirmation', '_count')).toBe(1)
  expect(await value('pins_held', `node="${nodes[0]?.name ?? ''}"`)).toBe(3) // the receipt and two bundles
  expect(await value('pins', `node="${nodes[0]?.name ?? ''}"`, 'outcome="held"')).toBe(3)
  expect(await value('pins', 'node="127.0.0.1:9"', 'outcome="pin_unavailable"')).toBe(3)

  const longAgo = Math.floor(Date.now() / 1000) - 3600
  await database.query('UPDATE repairs SET completed_at = to_timestamp($1)', [longAgo])
  await monitorPublishers({ ...watching, meter: createPublishingMeter(runtime.metricMeter) }).stop() // a worker starts
  expect(await value('repaired_at', 'part="chain"')).toBe(longAgo)
  await env.run(activities.reopenReorged, { seconds: 3600 })
  await watch()
  expect(await value('repaired_at', 'part="chain"')).toBeGreaterThan(longAgo)
  expect(await value('repaired_at', 'part="pins"')).toBe(longAgo)
  await env.run(pins.repairPins, { olderThanSeconds: 3600, limit: 10 })
  await watch()
  expect(await value('repaired_at', 'part="pins"')).toBe(longAgo) // a node is down
  await env.run(pinsOn(...nodes.slice(0, 1)).repairPins, { olderThanSeconds: 3600, limit: 10 })
  await watch()
  expect(await value('repaired_at', 'part="pins"')).toBeGreaterThan(longAgo)

  await database.destroy()
  await Promise.all([fresh.drop(), anvil.close()])
})
