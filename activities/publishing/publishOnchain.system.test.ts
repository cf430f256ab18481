import { installQuietRuntime } from '../../tests/rigs/workers/quietRuntime.js'
import { MockActivityEnvironment } from '@temporalio/testing'
import { DefaultLogger } from '@temporalio/worker'
import { createWalletClient, http, parseGwei } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { foundry } from 'viem/chains'
import { expect, test } from 'vitest'
import { type Hex } from '@perigee/core'
import { getProof } from '../../database/index.js'
import { fund } from '../../tests/harness/index.js'
import { startForgingRpc } from '../../tests/rigs/servers/startForgingRpc.js'
import { useChainRig } from '../../tests/rigs/publishing/useChainRig.js'

installQuietRuntime()
const rig = useChainRig()
const { activities, env, eventsOf, offered, pinned, publish } = rig

async function slots(): Promise<{ nonce: number; state: string; transactions: number; proofs: number }[]> {
  return rig.database.query(
    `SELECT nonce::int, state,
            (SELECT count(*)::int FROM publisher_transactions t WHERE t.slot_id = s.id) AS transactions,
            (SELECT count(*)::int FROM publications p WHERE p.slot_id = s.id) AS proofs
       FROM publisher_slots s ORDER BY nonce`,
  )
}

test('two publishers started by mistake give every proof one event, without a gap in the nonces', async () => {
  const proofs = await Promise.all(Array.from({ length: 8 }, pinned))
  await Promise.all(proofs.flatMap(({ slug }) => [publish(slug), publish(slug)]))
  for (const { txHash } of proofs) expect(await eventsOf(txHash)).toHaveLength(1)
  const used = await slots()
  expect(used.map(({ nonce }) => nonce)).toEqual(used.map((_, index) => index))
  expect(used.every(({ state }) => state === 'confirmed')).toBe(true)
})

test('proofs that gather while the chain is slow go out in one batch', async () => {
  await rig.anvil.client.setAutomine(false)
  const changes = { maxInFlight: 1 }
  const first = await pinned()
  const pending = [publish(first.slug, changes)]
  await offered(1)
  const others = await Promise.all(Array.from({ length: 12 }, pinned))
  pending.push(...others.map(({ slug }) => publish(slug, changes)))
  await new Promise((resolve) => setTimeout(resolve, 200))
  await rig.anvil.client.setAutomine(true)
  await rig.anvil.client.mine({ blocks: 1 })
  await Promise.all(pending)
  expect((await slots()).map(({ proofs }) => proofs)).toEqual([1, 12])
  for (const { txHash } of others) expect(await eventsOf(txHash)).toHaveLength(1)
})

test('with a batch delay, proofs that come one after another share a transaction, and a full one goes at once', async () => {
  const changes = { batchDelayMs: 600_000, maxBatch: 3 }
  const pending: Promise<unknown>[] = []
  const proofs: Awaited<ReturnType<typeof pinned>>[] = []
  for (let count = 0; count < 3; count++) {
    expect(await slots()).toEqual([])
    const proof = await pinned()
    proofs.push(proof)
    pending.push(publish(proof.slug, changes))
    await new Promise((resolve) => setTimeout(resolve, 150))
  }
  await Promise.all(pending)
  expect((await slots()).map(({ proofs }) => proofs)).toEqual([3])
  for (const { txHash } of proofs) expect(await eventsOf(txHash)).toHaveLength(1)
})

test('a proof that nobody joins goes alone once the batch delay is over, however often its worker dies meanwhile', async () => {
  const { slug, txHash } = await pinned()
  const dying = new MockActivityEnvironment(undefined, { logger: new DefaultLogger('ERROR') })
  const abandoned = dying.run(activities({ batchDelayMs: 600_000 }).publishOnchain, { slug })
  dying.cancel()
  await expect(abandoned).rejects.toThrow()
  const done = publish(slug, { batchDelayMs: 1_500 })
  await new Promise((resolve) => setTimeout(resolve, 200))
  expect(await slots()).toEqual([])
  await done
  expect(await eventsOf(txHash)).toHaveLength(1)
})

test('a transaction that the base fee has overtaken is offered again on the same nonce until it is mined', async () => {
  await rig.anvil.client.setAutomine(false)
  const { slug, txHash } = await pinned()
  const done = publish(slug, { bumpAfterMs: 200 })
  await offered(1)
  const { baseFeePerGas } = await rig.anvil.client.getBlock()
  await rig.anvil.client.setNextBlockBaseFeePerGas({ baseFeePerGas: (baseFeePerGas ?? 0n) * 9n + parseGwei('9') })
  await rig.anvil.client.mine({ blocks: 1 })
  const stopMining = rig.anvil.keepMining(150, 1)
  await done
  await stopMining()
  expect(await eventsOf(txHash)).toHaveLength(1)
  const [slot, ...more] = await slots()
  expect(more).toEqual([])
  expect(slot?.transactions).toBeGreaterThan(1)
})

/** The mempool forgets the only transaction; it is mined all the same. */
async function isSentAgain(txHash: Hex, done: Promise<unknown>): Promise<void> {
  await offered(1)
  const [sent] = await rig.database.query('SELECT tx_hash FROM publisher_transactions')
  await rig.anvil.client.dropTransaction({ hash: sent.tx_hash as Hex })
  const stopMining = rig.anvil.keepMining(200)
  await done.finally(stopMining)
  expect(await eventsOf(txHash)).toHaveLength(1)
}

test('a transaction that the mempool dropped is sent again', async () => {
  await rig.anvil.client.setAutomine(false)
  const { slug, txHash } = await pinned()
  const done = publish(slug)
  await isSentAgain(txHash, done)
})

test('a node that was restored and knows no older state does not keep a dropped transaction from being sent again', async () => {
  await rig.anvil.client.setAutomine(false)
  const { slug, txHash } = await pinned()
  const restored = await startForgingRpc(rig.anvil.rpcUrl, {
    eth_getTransactionCount: ([, block], truly) => {
      if (block !== 'latest' && block !== 'pending') throw new Error('no state')
      return truly()
    },
  })
  const done = publish(slug, { rpcUrls: [restored.url] })
  await isSentAgain(txHash, done)
  await restored.close()
})

/** The state that an RPC is asked about; `recent` ones it always has. */
const isOlder = async (block: unknown) =>
  block !== 'latest' && block !== 'pending' && BigInt(block as string) + 5n < (await rig.anvil.client.getBlockNumber())

test.each([
  ['a nonce', () => false],
  ['by RPCs without older state, a nonce', isOlder],
] as const)(
  '%s that another program has permanently used is given up, and the proof gets another',
  async (_who, isMissing) => {
    const rpc = await startForgingRpc(rig.anvil.rpcUrl, {
      async eth_getTransactionCount([, block], truly) {
        if (await isMissing(block)) throw new Error('missing trie node')
        return truly()
      },
    })
    await rig.anvil.client.setAutomine(false)
    const { slug, txHash } = await pinned()
    const done = publish(slug, { confirmations: 2, rpcUrls: [rpc.url] })
    await offered(1)
    const account = privateKeyToAccount(rig.key)
    const foreign = createWalletClient({ account, chain: foundry, transport: http(rig.anvil.rpcUrl) })
    // The same nonce, better paid: it takes the place of ours.
    const fees = { maxFeePerGas: parseGwei('900'), maxPriorityFeePerGas: parseGwei('400') }
    await foreign.sendTransaction({ to: account.address, nonce: 0, gas: 21_000n, ...fees })
    const stopMining = rig.anvil.keepMining(100, 8)
    await done
    await stopMining()
    await rpc.close()
    expect(await eventsOf(txHash)).toHaveLength(1)
    expect((await slots()).map(({ state }) => state)).toEqual(['lost', 'confirmed'])
  },
)

test('a reorg before the depth is reached is followed: one event on the final chain', async () => {
  const { slug, txHash } = await pinned()
  let ended = false
  const done = publish(slug, { confirmations: 3 }).finally(() => (ended = true))
  await expect.poll(async () => (await eventsOf(txHash)).length).toBe(1)
  await new Promise((resolve) => setTimeout(resolve, 500))
  expect(ended).toBe(false) // in a block, and not deep enough
  await rig.anvil.reorg(1)
  const stopMining = rig.anvil.keepMining(100, 1)
  const place = await done
  await stopMining()
  const events = await eventsOf(txHash)
  expect(events).toHaveLength(1)
  expect(events[0]?.blockHash).toBe(place.onchainBlockHash)
})

test('a reorg after the proof was complete reopens it, and it is mined again', async () => {
  const { slug, txHash } = await pinned()
  await publish(slug)
  expect(await getProof(rig.database, slug)).toMatchObject({ status: 'complete' })
  await rig.anvil.reorg(1)
  expect(await env.run(activities().reopenReorged, { seconds: 3600 })).toEqual([slug])
  const gone = { status: 'pending_onchain', onchainTxHash: null, onchainBlockNumber: null }
  expect(await getProof(rig.database, slug)).toMatchObject(gone)
  const place = await publish(slug)
  const events = await eventsOf(txHash)
  expect(events.map(({ blockHash }) => blockHash)).toEqual([place.onchainBlockHash])
  expect(await env.run(activities().reopenReorged, { seconds: 3600 })).toEqual([])
})

test('a chain that lost confirmed transactions does not jam the next ones', async () => {
  const lost = await pinned()
  await publish(lost.slug)
  await rig.anvil.reorg(1)
  const next = await pinned()
  await publish(next.slug)
  expect(await eventsOf(next.txHash)).toHaveLength(1)
  expect(await eventsOf(lost.txHash)).toHaveLength(1)
})

test('an account that may not publish is publish_reverted and costs no nonce', async () => {
  const stranger = `0x${'42'.repeat(32)}` as Hex
  await fund(privateKeyToAccount(stranger).address, '1', rig.anvil.rpcUrl)
  const { slug } = await pinned()
  await expect(publish(slug, { publisherKeys: [stranger] })).rejects.toMatchObject({ code: 'publish_reverted' })
  expect(await slots()).toEqual([])
})

test('an account that cannot pay says so, and publishes once it can', async () => {
  const address = privateKeyToAccount(rig.key).address
  await fund(address, '0.0000000001', rig.anvil.rpcUrl)
  const { slug } = await pinned()
  await expect(publish(slug)).rejects.toMatchObject({ code: 'publisher_balance_low' })
  await fund(address, '1', rig.anvil.rpcUrl)
  await publish(slug)
  expect(await slots()).toMatchObject([{ nonce: 0, state: 'confirmed' }])
})

test('an RPC of another chain is refused', async () => {
  const { slug } = await pinned()
  await expect(publish(slug, { chainId: 1 })).rejects.toMatchObject({ code: 'chain_mismatch' })
})

test('a second RPC serves when the first is away', async () => {
  const { slug, txHash } = await pinned()
  await publish(slug, { rpcUrls: ['http://127.0.0.1:9', rig.anvil.rpcUrl] })
  expect(await eventsOf(txHash)).toHaveLength(1)
})

test('a proof asks the chain no more than it must', async () => {
  const rpc = await startForgingRpc(rig.anvil.rpcUrl, {})
  const here = activities({ rpcUrls: [rpc.url] })
  const publishHere = async () => env.run(here.publishOnchain, { slug: (await pinned()).slug })
  await publishHere() // the first one also asks which chain this is, and where to look for events
  const known = rpc.heard.length
  await publishHere()
  const heard = rpc.heard.slice(known)
  const once = ['eth_getTransactionCount', 'eth_getLogs', 'eth_estimateGas', 'eth_sendRawTransaction']
  expect(heard.filter((method) => once.includes(method))).toEqual(once)
  // Then it is looked for until it is mined. Fees and balance may be asked again after a second; the head is not.
  const slow = ['eth_getBalance', 'eth_maxPriorityFeePerGas']
  const looks = ['eth_getTransactionReceipt', 'eth_getBlockByNumber']
  expect(heard.filter((method) => ![...once, ...slow, ...looks].includes(method))).toEqual([])
  await rpc.close()
})
