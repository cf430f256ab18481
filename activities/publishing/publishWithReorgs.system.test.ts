import { MockActivityEnvironment } from '@temporalio/testing'
import { DefaultLogger } from '@temporalio/worker'
import { installQuietRuntime } from '../../tests/rigs/workers/quietRuntime.js'
import { createWalletClient, http, parseGwei, type Hex } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { foundry } from 'viem/chains'
import { expect, test } from 'vitest'
import { serviceAttestationsAbi } from '../../contracts/index.js'
import { findUnfinished, getProof, markAbandoned, markFailed, markRetried } from '../../database/index.js'
import { startForgingRpc } from '../../tests/rigs/servers/startForgingRpc.js'
import { useChainRig } from '../../tests/rigs/publishing/useChainRig.js'

/* Reorgs deeper than the confirmations, each at the worst moment: docs/publishing.md has the rule. */

installQuietRuntime()
const rig = useChainRig({ oldRights: true })
const { activities, env, eventsOf, offered, pinned, publish, slots } = rig

const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))
const dear = { maxFeePerGas: parseGwei('900'), maxPriorityFeePerGas: parseGwei('400') }
const clientOf = (key: Hex) =>
  createWalletClient({ account: privateKeyToAccount(key), chain: foundry, transport: http(rig.anvil.rpcUrl) })
/** Blocks come until `done` has ended. */
async function mining<T>(done: Promise<T>): Promise<T> {
  const stopMining = rig.anvil.keepMining(100)
  return done.finally(stopMining)
}
const reorg = (depth: number) => rig.anvil.reorg(depth)

test('a transaction that is mined between two questions and taken back later keeps its proof on its nonce', async () => {
  await rig.anvil.client.setAutomine(false)
  const { slug, txHash } = await pinned()
  let [mined, taken] = [false, false]
  const rpc = await startForgingRpc(rig.anvil.rpcUrl, {
    // Not in a block when asked; deep in the chain by the time that anything else is asked.
    async eth_getTransactionReceipt(_params, truly) {
      const found = await truly()
      if (!mined) {
        mined = true
        await rig.anvil.client.mine({ blocks: 3 })
        expect(await eventsOf(txHash)).toHaveLength(1)
      }
      return found
    },
    // A worker that now looks for the event finds it just reorged out, and then it comes again.
    async eth_getLogs(_params, truly) {
      if (!mined || taken) return truly()
      await takeBack()
      const found = await truly()
      await bringBack()
      return found
    },
  })
  async function takeBack(): Promise<void> {
    taken = true
    await reorg(3)
  }
  /** Another node's mempool still has the reorged transactions. */
  async function bringBack(): Promise<void> {
    const [first] = await rig.database.query('SELECT raw FROM publisher_transactions ORDER BY created_at')
    await rig.anvil.client.sendRawTransaction({ serializedTransaction: first.raw as Hex }).catch(() => undefined)
    await rig.anvil.client.mine({ blocks: 1 })
  }
  const done = publish(slug, { rpcUrls: [rpc.url], confirmations: 2 })
  await expect.poll(() => mined).toBe(true)
  await wait(500)
  if (!taken) await takeBack().then(bringBack)
  await mining(done.then(() => wait(500)))
  await rpc.close()
  expect(await eventsOf(txHash)).toHaveLength(1)
  expect((await slots()).map(({ nonce, state }) => [nonce, state])).toEqual([[0, 'confirmed']])
})

test('a nonce that another transaction used, at depth but not final, keeps its proof: when a reorg frees it, ours is mined', async () => {
  await rig.anvil.client.setAutomine(false)
  const { slug, txHash } = await pinned()
  const done = publish(slug, { confirmations: 2 })
  await offered(1)
  const { address } = privateKeyToAccount(rig.key)
  await clientOf(rig.key).sendTransaction({ to: address, nonce: 0, gas: 21_000n, ...dear })
  await rig.anvil.client.mine({ blocks: 4 })
  expect(await rig.anvil.client.getTransactionCount({ address })).toBe(1)
  await wait(400)
  expect(await slots()).toMatchObject([{ nonce: 0, state: 'open' }])
  await reorg(4)
  await mining(done)
  expect(await eventsOf(txHash)).toHaveLength(1)
  expect(await slots()).toMatchObject([{ nonce: 0, state: 'confirmed' }])
})

/** The contract refuses a transaction that it would have taken when it was signed. */
async function reverted(slug: string) {
  await rig.anvil.client.setAutomine(false)
  const done = publish(slug)
  done.catch(() => undefined)
  await offered(1)
  const { address } = privateKeyToAccount(rig.key)
  const call = { address: rig.anvil.testChain.contractAddress, abi: serviceAttestationsAbi, ...dear } as const
  const owner = clientOf(rig.anvil.testChain.contractOwnerKey)
  await owner.writeContract({ ...call, functionName: 'removePublisher', args: [address] })
  await rig.anvil.client.mine({ blocks: 1 })
  await expect(done).rejects.toMatchObject({ code: 'publish_reverted' })
  expect(await slots()).toMatchObject([{ nonce: 0, state: 'reverted' }])
  return () => owner.writeContract({ ...call, functionName: 'addPublisher', args: [address] })
}

test('a transaction that failed is mined again after a reorg, and no other takes its place', async () => {
  const { slug, txHash } = await pinned()
  await reverted(slug)
  const retried = publish(slug, { confirmations: 2 })
  await wait(300) // the operator's retry waits: what failed in a block that is not final may still succeed
  expect(await slots()).toHaveLength(1)
  await reorg(1)
  await mining(retried)
  expect(await eventsOf(txHash)).toHaveLength(1)
  expect(await slots()).toMatchObject([{ nonce: 0, state: 'confirmed' }])
})

test('a transaction that failed in a final block is followed by another on the operator’s retry', async () => {
  const { slug, txHash } = await pinned()
  const allow = await reverted(slug)
  await allow()
  await rig.anvil.client.mine({ blocks: 80 })
  await mining(publish(slug))
  expect(await eventsOf(txHash)).toHaveLength(1)
  expect((await slots()).map(({ state }) => state)).toEqual(['reverted', 'confirmed'])
})

test('a receipt that a node serves from a reorged block counts for nothing: the transaction is sent again', async () => {
  await rig.anvil.client.setAutomine(false)
  const { slug, txHash } = await pinned()
  let kept: unknown = null
  const forgetful = await startForgingRpc(rig.anvil.rpcUrl, {
    async eth_getTransactionReceipt(_params, truly) {
      kept = (await truly()) ?? kept
      return kept
    },
  })
  const done = publish(slug, { rpcUrls: [forgetful.url], confirmations: 3 })
  await offered(1)
  await rig.anvil.client.mine({ blocks: 1 })
  await expect.poll(() => kept).not.toBeNull()
  await reorg(1)
  expect(await eventsOf(txHash)).toEqual([])
  await mining(done)
  await forgetful.close()
  expect(await eventsOf(txHash)).toHaveLength(1)
  expect(await slots()).toMatchObject([{ nonce: 0, state: 'confirmed' }])
})

test('RPCs that contradict each other hold a proof and are named; a third one decides', async () => {
  const { slug, txHash } = await pinned()
  const liar = await startForgingRpc(rig.anvil.rpcUrl, {
    async eth_getBlockByNumber(_params, truly) {
      const block = (await truly()) as { hash: string } | null
      return block && { ...block, hash: `0x${'ab'.repeat(32)}` }
    },
  })
  const third = await startForgingRpc(rig.anvil.rpcUrl, {})
  const rpcUrls = [liar.url, rig.anvil.rpcUrl]
  const held = publish(slug, { rpcUrls, maxOutageMs: 300 })
  await expect(held).rejects.toMatchObject({ code: 'chain_contradiction' })
  const message = await held.catch((error: Error) => error.message)
  for (const url of rpcUrls) expect(message).toContain(new URL(url).host)
  expect(await getProof(rig.database, slug)).toMatchObject({ status: 'pending_onchain', onchainTxHash: null })
  await publish(slug, { rpcUrls: [...rpcUrls, third.url] })
  await Promise.all([liar.close(), third.close()])
  expect(await eventsOf(txHash)).toHaveLength(1)
  expect(await slots()).toMatchObject([{ nonce: 0, state: 'confirmed' }])
})

test('reopenReorged rebroadcasts transactions that no worker follows', async () => {
  await rig.anvil.client.setAutomine(false)
  const proofs = [await pinned(), await pinned()]
  const dying = new MockActivityEnvironment(undefined, { logger: new DefaultLogger('ERROR') })
  const abandoned = proofs.map(({ slug }) => dying.run(activities({ maxBatch: 1 }).publishOnchain, { slug }))
  await offered(2)
  dying.cancel()
  await Promise.all(abandoned.map((one) => expect(one).rejects.toThrow()))
  const { pending } = await rig.anvil.client.getTxpoolContent()
  for (const { hash } of Object.values(pending).flatMap((byNonce) => Object.values(byNonce))) {
    await rig.anvil.client.dropTransaction({ hash })
  }
  await rig.anvil.client.setAutomine(true)
  const reopen = () => env.run(activities().reopenReorged, { seconds: 3600 })
  await expect
    .poll(async () => (await reopen()) && (await slots()).map(({ state }) => state))
    .toEqual(['confirmed', 'confirmed'])
  for (const { txHash } of proofs) expect(await eventsOf(txHash)).toHaveLength(1)
})

test('a proof that was abandoned and mined after all is the repair’s again when a reorg takes its block', async () => {
  await rig.anvil.client.setAutomine(false)
  const { slug } = await pinned()
  const dying = new MockActivityEnvironment(undefined, { logger: new DefaultLogger('ERROR') })
  const following = dying.run(activities().publishOnchain, { slug })
  await offered(1)
  dying.cancel()
  await expect(following).rejects.toThrow()
  await markFailed(rig.database, { slug, status: 'onchain_failed', code: 'publish_unconfirmed', message: '' })
  await markAbandoned(rig.database, slug)
  await rig.anvil.client.mine({ blocks: 1 })
  await publish(slug) // late, so nobody waits for it
  expect(await getProof(rig.database, slug)).toMatchObject({ status: 'onchain_failed' })
  await markRetried(rig.database, slug) // as the run does that the repair starts
  await publish(slug)
  expect(await getProof(rig.database, slug)).toMatchObject({ status: 'complete' })
  await reorg(1)
  expect(await env.run(activities().reopenReorged, { seconds: 3600 })).toEqual([slug])
  expect(await findUnfinished(rig.database, 0, 10)).toMatchObject([{ slug }])
})
