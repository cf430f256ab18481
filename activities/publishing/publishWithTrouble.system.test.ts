import { randomUUID } from 'node:crypto'
import { MockActivityEnvironment } from '@temporalio/testing'
import { DefaultLogger } from '@temporalio/worker'
import { createPublishingMeter } from '../../clients/createPublishingMeter.js'
import { installQuietRuntime } from '../../tests/rigs/workers/quietRuntime.js'
import { createWalletClient, http, parseGwei, type Hex } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { foundry } from 'viem/chains'
import { expect, test } from 'vitest'
import { ServiceError } from '@perigee/core'
import { getProof, loadProofRecord, type OnchainPlace } from '../../database/index.js'
import { freshPublisher, fund } from '../../tests/harness/index.js'
import { createChain } from '../../clients/chain/createChain.js'
import { createPublisher } from '../../clients/chain/publisher/createPublisher.js'
import { createChainActivities } from './createChainActivities.js'
import { startForgingRpc } from '../../tests/rigs/servers/startForgingRpc.js'
import { useChainRig } from '../../tests/rigs/publishing/useChainRig.js'

/* Nonces that come free again, keys that run dry, and RPCs that lie or lag. */

installQuietRuntime()
const rig = useChainRig({ oldRights: true })
const { activities, env, eventsOf, offered, pinned, publish, slots } = rig

const reopenReorged = (): Promise<string[]> => env.run(activities().reopenReorged, { seconds: 3600 })
const reorg = (depth: number) => rig.anvil.reorg(depth)
const byHand = () =>
  createWalletClient({ account: privateKeyToAccount(rig.key), chain: foundry, transport: http(rig.anvil.rpcUrl) })

test('a nonce below ours that a reorg takes from another program is filled, and ours is mined again', async () => {
  const { address } = privateKeyToAccount(rig.key)
  await byHand().sendTransaction({ to: address, value: 1n })
  const { slug, txHash } = await pinned()
  await publish(slug)
  await reorg(2)
  expect(await rig.anvil.client.getTransactionCount({ address })).toBe(0)
  expect(await reopenReorged()).toEqual([slug])
  expect(await getProof(rig.database, slug)).toMatchObject({ status: 'pending_onchain', onchainTxHash: null })
  await publish(slug)
  expect(await eventsOf(txHash)).toHaveLength(1)
  expect(await slots()).toMatchObject([
    { nonce: 0, calldata: '0x' },
    { nonce: 1, state: 'confirmed' },
  ])
  expect(await rig.anvil.client.getTransactionCount({ address })).toBe(2)
  const next = await pinned()
  await publish(next.slug)
  expect((await slots()).map(({ nonce }) => nonce)).toEqual([0, 1, 2])
  await reopenReorged()
  const costs = await rig.database.query<{ state: string; cost_wei: string | null }[]>(
    'SELECT state, cost_wei FROM publisher_slots ORDER BY nonce',
  )
  expect(costs.map(({ state }) => state)).toEqual(['lost', 'confirmed', 'confirmed'])
  for (const { cost_wei: cost } of costs) expect(Number(cost)).toBeGreaterThan(0) // the filled nonce cost gas too
})

test('a nonce that was lost in a final block and comes free all the same, on a chain that broke finality, is filled', async () => {
  await rig.anvil.client.mine({ blocks: 150 })
  await rig.anvil.client.setAutomine(false)
  const { slug, txHash } = await pinned()
  const done = publish(slug)
  await offered(1)
  const { address } = privateKeyToAccount(rig.key)
  const fees = { maxFeePerGas: parseGwei('900'), maxPriorityFeePerGas: parseGwei('400') }
  await byHand().sendTransaction({ to: address, nonce: 0, gas: 21_000n, ...fees })
  const stopMining = rig.anvil.keepMining(100, 8)
  await done
  await stopMining()
  await rig.anvil.client.setAutomine(true)
  expect((await slots()).map(({ state }) => state)).toEqual(['lost', 'confirmed'])
  // Deep enough to take both away.
  for (let depth = 60; (await rig.anvil.client.getTransactionCount({ address })) > 0; depth += 20) await reorg(depth)
  expect(await reopenReorged()).toEqual([slug])
  await publish(slug)
  expect(await eventsOf(txHash)).toHaveLength(1)
  expect(await slots()).toMatchObject([
    { nonce: 0, calldata: '0x' },
    { nonce: 1, state: 'confirmed' },
  ])
})

test('a proof that another worker moves from one spent nonce to a second leaves that one only when that one is found spent too', async () => {
  const { slug } = await pinned()
  const former = { first: randomUUID(), second: randomUUID() }
  const sender = privateKeyToAccount(rig.key).address.toLowerCase()
  for (const [nonce, id] of Object.values(former).entries()) {
    await rig.database.query(
      `INSERT INTO publisher_slots (id, chain_id, sender, nonce, state, calldata, gas, created_at)
       VALUES ($1, $2, $3, $4, 'lost', '0x', '21000', now())`,
      [id, foundry.id, sender, nonce],
    )
  }
  const moveTo = (id: string) =>
    rig.database.query('UPDATE publications SET slot_id = $2 WHERE slug = $1', [slug, id]).then(() => undefined)
  await moveTo(former.first)

  const chain = createChain(rig.config())
  const publisher = createPublisher(rig.database, chain)
  const checked: string[] = []
  const { publishOnchain } = createChainActivities({
    database: rig.database,
    chain,
    meter: createPublishingMeter(),
    publisher: {
      ...publisher,
      async isSpent({ id }) {
        checked.push(id)
        if (id === former.first) await moveTo(former.second)
        return true
      },
      open(_proofs, _room, formerId) {
        throw new ServiceError('publish_reverted', `leaves ${formerId} after ${checked.join()}`)
      },
    },
  })
  await expect(env.run(publishOnchain, { slug })).rejects.toThrow(
    `leaves ${former.second} after ${former.first},${former.second}`,
  )
})

test('a key that cannot pay is passed over while another can, and only when none can is the balance too low', async () => {
  const second = await freshPublisher(rig.anvil.testChain)
  const [poor, rich] = [rig.key, second].map((one) => privateKeyToAccount(one).address) as [Hex, Hex]
  await fund(poor, '0.0000000001', rig.anvil.rpcUrl)
  const keys = { publisherKeys: [rig.key, second] }
  await publish((await pinned()).slug, keys)
  expect(await slots()).toMatchObject([{ sender: rich.toLowerCase(), state: 'confirmed' }])
  await fund(rich, '0.0000000001', rig.anvil.rpcUrl)
  const { slug } = await pinned()
  await expect(publish(slug, keys)).rejects.toMatchObject({ code: 'publisher_balance_low' })
  await fund(poor, '1', rig.anvil.rpcUrl)
  await publish(slug, keys)
  expect(await getProof(rig.database, slug)).toMatchObject({ status: 'complete' })
})

test('several keys share the work: while one has enough in flight, the other takes what comes', async () => {
  const second = await freshPublisher(rig.anvil.testChain)
  await rig.anvil.client.setAutomine(false)
  const changes = { publisherKeys: [rig.key, second], maxInFlight: 1 }
  const proofs: Awaited<ReturnType<typeof pinned>>[] = []
  const done: Promise<OnchainPlace>[] = []
  while (proofs.length < 2) {
    const proof = await pinned()
    proofs.push(proof)
    done.push(publish(proof.slug, changes))
    await offered(proofs.length)
  }
  await rig.anvil.client.setAutomine(true)
  await rig.anvil.client.mine({ blocks: 1 })
  await Promise.all(done)
  expect(new Set((await slots()).map(({ sender }) => sender)).size).toBe(2)
  for (const { txHash } of proofs) expect(await eventsOf(txHash)).toHaveLength(1)
})

test('a proof that waits for room rebroadcasts, also a dropped transaction that no worker follows', async () => {
  await rig.anvil.client.setAutomine(false)
  const [orphan, next] = [await pinned(), await pinned()]
  const dying = new MockActivityEnvironment(undefined, { logger: new DefaultLogger('ERROR') })
  const abandoned = dying.run(activities({ maxBatch: 1 }).publishOnchain, { slug: orphan.slug })
  await offered(1)
  dying.cancel()
  await expect(abandoned).rejects.toThrow()
  const { pending } = await rig.anvil.client.getTxpoolContent()
  for (const { hash } of Object.values(pending).flatMap((byNonce) => Object.values(byNonce))) {
    await rig.anvil.client.dropTransaction({ hash })
  }
  await rig.anvil.client.setAutomine(true)
  await publish(next.slug, { maxInFlight: 1, maxBatch: 1 })
  for (const { txHash } of [orphan, next]) expect(await eventsOf(txHash)).toHaveLength(1)
})

test('an RPC that lags far behind is asked last, whatever its place in the list', async () => {
  const lagging = await startForgingRpc(rig.anvil.rpcUrl, {
    eth_blockNumber: () => '0x1',
    eth_getTransactionCount: () => '0x0',
    eth_getTransactionReceipt: () => null,
    eth_getBlockByNumber: () => null,
  })
  const { slug, txHash } = await pinned()
  await publish(slug, { rpcUrls: [lagging.url, rig.anvil.rpcUrl], confirmations: 1 })
  await lagging.close()
  expect(await eventsOf(txHash)).toHaveLength(1)
})

test('an RPC that hides receipts and events cannot make a proof be published twice', async () => {
  const { slug, txHash } = await pinned()
  await publish(slug)
  await rig.anvil.client.mine({ blocks: 80 }) // an event that we have no transaction for must be final
  const liar = await startForgingRpc(rig.anvil.rpcUrl, { eth_getTransactionReceipt: () => null, eth_getLogs: () => [] })
  await rig.database.query(`UPDATE publications SET status = 'pending_onchain' WHERE slug = $1`, [slug])
  await rig.database.query(`UPDATE publications SET slot_id = NULL WHERE slug = $1`, [slug]) // as after a restored backup
  const honest = await startForgingRpc(rig.anvil.rpcUrl, {})
  await publish(slug, { rpcUrls: [liar.url, rig.anvil.rpcUrl, honest.url] })
  await Promise.all([liar.close(), honest.close()])
  expect(await eventsOf(txHash)).toHaveLength(1)
  expect(await getProof(rig.database, slug)).toMatchObject({ status: 'complete' })
})

test('an RPC that invents a receipt does not make a proof complete', async () => {
  await rig.anvil.client.setAutomine(false)
  const { slug } = await pinned()
  const { hash, number } = await rig.anvil.client.getBlock()
  const contract = rig.anvil.testChain.contractAddress.toLowerCase()
  const record = await loadProofRecord(rig.database, slug)
  const topics = [
    '0x' + '00'.repeat(32),
    `0x${'00'.repeat(12)}${record?.wallet.address.slice(2) ?? ''}`,
    record?.publication.txHash,
  ]
  const liar = await startForgingRpc(rig.anvil.rpcUrl, {
    eth_getTransactionReceipt: ([transactionHash]) => ({
      transactionHash,
      blockHash: hash,
      blockNumber: `0x${number.toString(16)}`,
      status: '0x1',
      type: '0x2',
      from: contract,
      to: contract,
      gasUsed: '0x1',
      cumulativeGasUsed: '0x1',
      effectiveGasPrice: '0x1',
      logs: [{ address: contract, topics, data: '0x', blockHash: hash, blockNumber: '0x1', logIndex: '0x0', transactionHash, transactionIndex: '0x0', removed: false }], // prettier-ignore
      contractAddress: null,
      transactionIndex: '0x0',
      logsBloom: '0x',
    }),
  })
  const done = publish(slug, { rpcUrls: [liar.url, rig.anvil.rpcUrl] })
  done.catch(() => undefined)
  await new Promise((resolve) => setTimeout(resolve, 800))
  expect(await getProof(rig.database, slug)).toMatchObject({ status: 'pending_onchain', onchainTxHash: null })
  await liar.close()
  await rig.anvil.client.setAutomine(true)
  await rig.anvil.client.mine({ blocks: 1 })
  expect((await done).onchainBlockHash).not.toBe(hash)
})
