import { MockActivityEnvironment } from '@temporalio/testing'
import { DefaultLogger, Runtime } from '@temporalio/worker'
import { createWalletClient, http, parseAbiItem, parseGwei, type Hex } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { foundry } from 'viem/chains'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { DataSource } from 'typeorm'
import { cidOf } from '@perigee/core'
import { getProof, loadProofRecord, markPinned, openDatabase, type OnchainPlace } from '../../database/index.js'
import { freshDatabase, freshPublisher, fund, type FreshDatabase } from '../../tests/harness/index.js'
import { seedProof } from '../../workers/testing/seedProof.js'
import { startAnvil } from '../../workers/testing/startAnvil.js'
import { assembleReceipt } from './assembleReceipt.js'
import { chainDefaults, type ChainConfig } from './chain/ChainConfig.js'
import { createChain } from './chain/createChain.js'
import { createPublisher } from './chain/createPublisher.js'
import { startForgingRpc } from './chain/testing/startForgingRpc.js'
import { createChainActivities } from './createChainActivities.js'

/* Nonces that come free again, keys that run dry, and RPCs that lie or lag. */

Runtime.install({ logger: new DefaultLogger('ERROR') })
const env = new MockActivityEnvironment(undefined, { logger: new DefaultLogger('ERROR') })
const event = parseAbiItem('event AttestationPublished(address indexed wallet, bytes32 indexed txHash, string ipfsCid)')
let anvil: Awaited<ReturnType<typeof startAnvil>>
let fresh: FreshDatabase
let database: DataSource
let key: Hex

beforeAll(async () => {
  anvil = await startAnvil()
})
afterAll(async () => {
  await database.destroy()
  await fresh.drop()
  await anvil.close()
})
beforeEach(async () => {
  await anvil.client.setAutomine(true)
  await database?.destroy()
  await fresh?.drop()
  ;[fresh, key] = await Promise.all([freshDatabase(), freshPublisher(anvil.testChain)])
  database = await openDatabase({ url: fresh.url })
  await anvil.client.mine({ blocks: 10 }) // the publisher's rights are older than any reorganisation here
})

function activities(changes: Partial<ChainConfig> = {}) {
  const chain = createChain({
    ...chainDefaults,
    ...{ chainId: foundry.id, rpcUrls: [anvil.rpcUrl], contract: anvil.testChain.contractAddress.toLowerCase() as Hex },
    ...{ contractBlock: 0, publisherKeys: [key], confirmations: 1, pollMs: 25, ...changes },
  })
  return createChainActivities({ database, chain, publisher: createPublisher(database, chain) })
}
async function pinned() {
  const input = await seedProof(database, { chainId: foundry.id, contract: anvil.testChain.contractAddress })
  const record = await loadProofRecord(database, input.slug)
  if (!record) throw new Error('seeded proof is missing')
  const receipt = assembleReceipt(record)
  await markPinned(database, input.slug, cidOf(new TextEncoder().encode(receipt)), receipt)
  return input
}
const publish = (slug: string, changes: Partial<ChainConfig> = {}): Promise<OnchainPlace> =>
  env.run(activities(changes).publishOnchain, { slug })
const findVanished = (): Promise<string[]> => env.run(activities().findVanished, { seconds: 3600 })
const eventsOf = (txHash: Hex) => anvil.client.getLogs({ event, args: { txHash }, fromBlock: 0n })
const slots = (): Promise<{ nonce: number; state: string; calldata: string; sender: Hex }[]> =>
  database.query('SELECT nonce::int, state, calldata, sender FROM publisher_slots ORDER BY sender, nonce')
const reorg = (depth: number) => anvil.client.request({ method: 'anvil_reorg', params: [depth, []] } as never)
const byHand = () =>
  createWalletClient({ account: privateKeyToAccount(key), chain: foundry, transport: http(anvil.rpcUrl) })

test('a nonce below ours whose transaction, not ours, vanishes with its block is filled, and ours is mined again', async () => {
  const { address } = privateKeyToAccount(key)
  await byHand().sendTransaction({ to: address, value: 1n })
  const { slug, txHash } = await pinned()
  await publish(slug)
  await reorg(2)
  expect(await anvil.client.getTransactionCount({ address })).toBe(0)
  expect(await findVanished()).toEqual([slug])
  expect(await getProof(database, slug)).toMatchObject({ status: 'pending_onchain', onchainTxHash: null })
  await publish(slug)
  expect(await eventsOf(txHash)).toHaveLength(1)
  expect(await slots()).toMatchObject([
    { nonce: 0, calldata: '0x' },
    { nonce: 1, state: 'confirmed' },
  ])
  expect(await anvil.client.getTransactionCount({ address })).toBe(2)
  const next = await pinned()
  await publish(next.slug)
  expect((await slots()).map(({ nonce }) => nonce)).toEqual([0, 1, 2])
})

test('a nonce that was lost to another transaction and comes free again is filled without a second event', async () => {
  await anvil.client.setAutomine(false)
  const { slug, txHash } = await pinned()
  const done = publish(slug)
  await expect.poll(async () => (await slots()).length, { timeout: 10_000 }).toBe(1)
  const { address } = privateKeyToAccount(key)
  const fees = { maxFeePerGas: parseGwei('900'), maxPriorityFeePerGas: parseGwei('400') }
  await byHand().sendTransaction({ to: address, nonce: 0, gas: 21_000n, ...fees })
  const miner = setInterval(() => void anvil.client.mine({ blocks: 1 }), 100)
  await done
  clearInterval(miner)
  await anvil.client.setAutomine(true)
  expect((await slots()).map(({ state }) => state)).toEqual(['lost', 'confirmed'])
  // Deep enough to take both away.
  for (let i = 0; (await anvil.client.getTransactionCount({ address })) > 0 && i < 20; i++) await reorg(2 + i)
  expect(await findVanished()).toEqual([slug])
  await publish(slug)
  expect(await eventsOf(txHash)).toHaveLength(1)
  expect(await slots()).toMatchObject([
    { nonce: 0, calldata: '0x' },
    { nonce: 1, state: 'confirmed' },
  ])
})

test('a key that cannot pay is passed over while another can, and only when none can is the balance too low', async () => {
  const second = await freshPublisher(anvil.testChain)
  const [poor, rich] = [key, second].map((one) => privateKeyToAccount(one).address) as [Hex, Hex]
  await fund(poor, '0.0000000001', anvil.rpcUrl)
  const keys = { publisherKeys: [key, second] }
  await publish((await pinned()).slug, keys)
  expect(await slots()).toMatchObject([{ sender: rich.toLowerCase(), state: 'confirmed' }])
  await fund(rich, '0.0000000001', anvil.rpcUrl)
  const { slug } = await pinned()
  await expect(publish(slug, keys)).rejects.toMatchObject({ code: 'publisher_balance_low' })
  await fund(poor, '1', anvil.rpcUrl)
  await publish(slug, keys)
  expect(await getProof(database, slug)).toMatchObject({ status: 'complete' })
})

test('several keys share the work: while one has enough in flight, the other takes what comes', async () => {
  const second = await freshPublisher(anvil.testChain)
  await anvil.client.setAutomine(false)
  const changes = { publisherKeys: [key, second], maxInFlight: 1 }
  const proofs: Awaited<ReturnType<typeof pinned>>[] = []
  const done: Promise<OnchainPlace>[] = []
  while (proofs.length < 2) {
    const proof = await pinned()
    proofs.push(proof)
    done.push(publish(proof.slug, changes))
    await expect.poll(async () => (await slots()).length, { timeout: 10_000 }).toBe(proofs.length)
  }
  await anvil.client.setAutomine(true)
  await anvil.client.mine({ blocks: 1 })
  await Promise.all(done)
  expect(new Set((await slots()).map(({ sender }) => sender)).size).toBe(2)
  for (const { txHash } of proofs) expect(await eventsOf(txHash)).toHaveLength(1)
})

test('whoever waits for room keeps the queue moving, also a dropped transaction that nobody follows', async () => {
  await anvil.client.setAutomine(false)
  const [orphan, next] = [await pinned(), await pinned()]
  const dying = new MockActivityEnvironment(undefined, { logger: new DefaultLogger('ERROR') })
  const abandoned = dying.run(activities({ maxBatch: 1 }).publishOnchain, { slug: orphan.slug })
  await expect.poll(async () => (await slots()).length, { timeout: 10_000 }).toBe(1)
  dying.cancel()
  await expect(abandoned).rejects.toThrow()
  const { pending } = await anvil.client.getTxpoolContent()
  for (const { hash } of Object.values(pending).flatMap((byNonce) => Object.values(byNonce))) {
    await anvil.client.dropTransaction({ hash })
  }
  await anvil.client.setAutomine(true)
  await publish(next.slug, { maxInFlight: 1, maxBatch: 1 })
  for (const { txHash } of [orphan, next]) expect(await eventsOf(txHash)).toHaveLength(1)
}, 30_000)

test('an RPC that lags far behind is asked last, whatever its place in the list', async () => {
  const lagging = await startForgingRpc(anvil.rpcUrl, {
    ...{ eth_blockNumber: () => '0x1', eth_getTransactionCount: () => '0x0', eth_getTransactionReceipt: () => null },
    ...{ eth_getBlockByNumber: () => null },
  })
  const { slug, txHash } = await pinned()
  await publish(slug, { rpcUrls: [lagging.url, anvil.rpcUrl], confirmations: 1 })
  await lagging.close()
  expect(await eventsOf(txHash)).toHaveLength(1)
})

test('an RPC that hides receipts and events cannot make a proof be published twice', async () => {
  const { slug, txHash } = await pinned()
  await publish(slug)
  const liar = await startForgingRpc(anvil.rpcUrl, { eth_getTransactionReceipt: () => null, eth_getLogs: () => [] })
  await database.query(`UPDATE publications SET status = 'pending_onchain' WHERE slug = $1`, [slug])
  await database.query(`UPDATE publications SET slot_id = NULL WHERE slug = $1`, [slug]) // as after a restored backup
  const honest = await startForgingRpc(anvil.rpcUrl, {})
  await publish(slug, { rpcUrls: [liar.url, anvil.rpcUrl, honest.url] })
  await Promise.all([liar.close(), honest.close()])
  expect(await eventsOf(txHash)).toHaveLength(1)
  expect(await getProof(database, slug)).toMatchObject({ status: 'complete' })
})

test('an RPC that invents a receipt does not make a proof complete', async () => {
  await anvil.client.setAutomine(false)
  const { slug } = await pinned()
  const { hash, number } = await anvil.client.getBlock()
  const contract = anvil.testChain.contractAddress.toLowerCase()
  const record = await loadProofRecord(database, slug)
  const topics = [
    '0x' + '00'.repeat(32),
    `0x${'00'.repeat(12)}${record?.wallet.address.slice(2) ?? ''}`,
    record?.transaction.txHash,
  ]
  const liar = await startForgingRpc(anvil.rpcUrl, {
    eth_getTransactionReceipt: ([transactionHash]) => ({
      ...{ transactionHash, blockHash: hash, blockNumber: `0x${number.toString(16)}`, status: '0x1', type: '0x2' },
      ...{ from: contract, to: contract, gasUsed: '0x1', cumulativeGasUsed: '0x1', effectiveGasPrice: '0x1' },
      logs: [{ address: contract, topics, data: '0x', blockHash: hash, blockNumber: '0x1', logIndex: '0x0', transactionHash, transactionIndex: '0x0', removed: false }], // prettier-ignore
      ...{ contractAddress: null, transactionIndex: '0x0', logsBloom: '0x' },
    }),
  })
  const done = publish(slug, { rpcUrls: [liar.url, anvil.rpcUrl] })
  done.catch(() => undefined)
  await new Promise((resolve) => setTimeout(resolve, 800))
  expect(await getProof(database, slug)).toMatchObject({ status: 'pending_onchain', onchainTxHash: null })
  await liar.close()
  await anvil.client.setAutomine(true)
  await anvil.client.mine({ blocks: 1 })
  expect((await done).onchainBlockHash).not.toBe(hash)
})
