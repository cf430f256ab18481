import { MockActivityEnvironment } from '@temporalio/testing'
import { DefaultLogger } from '@temporalio/worker'
import { createWalletClient, http, type Hex } from 'viem'
import { attestationPublished } from '@perigee/core/proof'
import { privateKeyToAccount } from 'viem/accounts'
import { foundry } from 'viem/chains'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createPublishingMeter } from '../../clients/createPublishingMeter.js'
import { serviceAttestationsAbi } from '../../contracts/index.js'
import { run } from '../../ops/run.js'
import { components } from '../../tests/harness/index.js'
import { createFaultyProxy, type FaultyProxy } from '../../tests/rigs/servers/createFaultyProxy.js'
import { startAnvil } from '../../tests/rigs/servers/startAnvil.js'
import { runActivity } from '../../tests/rigs/workers/runActivity.js'
import { runRepair } from '../../tests/rigs/publishing/runRepair.js'
import { recordOf, startPublishingRig, type PublishingRig } from '../../tests/rigs/publishing/startPublishing.js'
import { createChain } from '../../clients/chain/createChain.js'
import { createPublisher } from '../../clients/chain/publisher/createPublisher.js'
import { createChainActivities } from './createChainActivities.js'

/* The chain at its worst, with real Temporal, Kubo, Postgres and anvil. `FAULT_SEED` makes another storm of it. */
const reorgs = Number(process.env['FAULT_REORGS'] ?? 100)
const proofs = Number(process.env['FAULT_PROOFS'] ?? 40)
const seed = Number(process.env['FAULT_SEED'] ?? 20261115)

let anvil: Awaited<ReturnType<typeof startAnvil>>
let rpc: FaultyProxy
let rig: PublishingRig

beforeAll(async () => {
  anvil = await startAnvil()
  rpc = await createFaultyProxy(anvil.rpcUrl)
  // Fewer than the deepest reorg takes back: confirmed transactions are reorged again and again.
  const chain = { rpcUrls: [rpc.url], confirmations: 2, pollMs: 40, bumpAfterMs: 400 }
  rig = await startPublishingRig({ testChain: anvil.testChain, chain })
  await rig.startWorkers()
})
afterAll(async () => {
  await rig.close()
  await Promise.all([rpc.close(), anvil.close()])
})

const eventsOf = (txHash: Hex) => anvil.client.getLogs({ event: attestationPublished, args: { txHash }, fromBlock: 0n })
const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))
/** Runs the repair although the proofs are young. */
async function repair() {
  await rig.database.query(
    `UPDATE publications SET created_at = now() - interval '2 minutes' WHERE status <> 'complete' AND kind = 'transaction'`,
  )
  return runRepair(rig.client)
}

/** A small generator, so that a run can be repeated. */
function dice(seed: number): (sides: number) => number {
  let state = seed
  return (sides) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
    return Math.floor((state / 2_147_483_648) * sides)
  }
}

/** What must be known of a proof with none or two: which transactions, of which nonces, in which blocks, and ours. */
async function describe(slug: string, events: Awaited<ReturnType<typeof eventsOf>>): Promise<string> {
  if (events.length === 1) return slug
  const found = events.map(async ({ transactionHash, blockNumber, blockHash }) => {
    const { from, nonce } = await anvil.client.getTransaction({ hash: transactionHash })
    const isCanonical = (await anvil.client.getBlock({ blockNumber }).catch(() => null))?.hash === blockHash
    return { transactionHash, blockNumber: String(blockNumber), blockHash, isCanonical, from, nonce }
  })
  const ours = await rig.database.query<unknown[]>(
    `SELECT t.tx_hash, s.id, s.sender, s.nonce, s.state, t.created_at, p.slot_id = s.id AS is_its_slot
       FROM publications p, publisher_slots s JOIN publisher_transactions t ON t.slot_id = s.id
      WHERE p.slug = $1 AND (s.id = p.slot_id OR t.tx_hash = ANY($2)) ORDER BY s.nonce, t.created_at`,
    [slug, events.map(({ transactionHash }) => transactionHash)],
  )
  return `${slug}: ${JSON.stringify({ events: await Promise.all(found), ours }, null, 1)}`
}

async function audit(): Promise<{ code: number; text: string }> {
  const env = {
    DATABASE_URL: rig.databaseUrl,
    CHAIN_ID: '31337',
    CHAIN_RPC_URLS: anvil.rpcUrl,
    CHAIN_CONFIRMATIONS: '2',
    CONTRACT_ADDRESS: rig.chainConfig.contract,
    IPFS_API_URLS: components().ipfsApiUrl,
  }
  const lines: string[] = []
  const console = { print: (line: string) => lines.push(line), complain: (line: string) => lines.push(line) }
  const code = await run(['reconcile', '--only', 'records', 'events', 'publishers'], env, console)
  return { code, text: lines.join('\n') }
}

test(`${reorgs} reorgs, dropped transactions, a base fee that triples, lost answers and a second publisher: every proof has one event`, async () => {
  const roll = dice(seed)
  await anvil.client.mine({ blocks: 20 }) // contract and publisher are older than any reorg
  await anvil.client.setAutomine(false)
  let [mining, isCongested] = [true, false]
  const miner = (async () => {
    while (mining) {
      if (!isCongested) await anvil.client.mine({ blocks: 1 })
      await wait(60)
    }
  })()
  miner.catch(() => undefined) // awaited below; after a failure its chain is gone, and other files go on in this process
  // Started by mistake: the same keys, another process's memory.
  const chain = createChain(rig.chainConfig)
  const mistaken = createChainActivities({
    database: rig.database,
    chain,
    publisher: createPublisher(rig.database, chain),
    meter: createPublishingMeter(),
  })
  const second = new MockActivityEnvironment(undefined, { logger: new DefaultLogger('ERROR') })
  const inputs: Awaited<ReturnType<PublishingRig['seed']>>[] = []
  const strays: Promise<unknown>[] = []
  let dropped = 0
  const from = Date.now()

  for (let done = 0; done < reorgs;) {
    while (inputs.length < proofs && inputs.length * reorgs <= done * proofs) {
      const input = await rig.seed()
      inputs.push(input)
      await rig.publish(input)
    }
    const what = roll(10)
    if (what < 6) {
      await anvil.reorg(1 + roll(3))
      done++
    } else if (what === 6) {
      isCongested = true // nothing is mined for a while, and then the mempool forgets what had gathered
      await wait(300)
      const { pending } = await anvil.client.getTxpoolContent()
      const waiting = Object.values(pending).flatMap((byNonce) => Object.values(byNonce))
      for (const { hash } of waiting) await anvil.client.dropTransaction({ hash })
      dropped += waiting.length
      isCongested = false
    } else if (what === 7) {
      const { baseFeePerGas } = await anvil.client.getBlock()
      const tripled = (baseFeePerGas ?? 1n) * 3n
      if (tripled < 60_000_000_000n) await anvil.client.setNextBlockBaseFeePerGas({ baseFeePerGas: tripled })
    } else if (what === 8) {
      rpc.set(roll(2) ? 'cut-answer' : 'down', (request) => request.includes('eth_sendRawTransaction'))
      await wait(150)
      rpc.set('none')
    } else {
      const input = inputs[roll(inputs.length)]
      const isPinned = input && (await recordOf(rig.database, input.slug)).cid !== null
      if (isPinned) strays.push(second.run(mistaken.publishOnchain, { slug: input.slug }).catch(() => undefined))
    }
    await wait(15 + roll(80))
  }
  const stormMs = Date.now() - from
  await Promise.all(strays)
  const undone = async () => {
    const rows = await rig.database.query<{ status: string }[]>(
      `SELECT status, slug, error_code FROM publications WHERE status <> 'complete' AND kind = 'transaction'`,
    )
    return rows
  }
  let reopened = 0
  for (let n = 0; n < 60; n++) {
    const repaired = await repair()
    reopened += repaired.reopened.length
    if (repaired.reopened.length === 0 && (await undone()).length === 0) break
    await wait(500)
  }
  expect(await undone()).toEqual([])
  mining = false
  await miner

  for (const { slug, txHash } of inputs) {
    const events = await eventsOf(txHash)
    expect(events, await describe(slug, events)).toHaveLength(1)
    expect(await recordOf(rig.database, slug)).toMatchObject({ onchain_tx_hash: events[0]?.transactionHash })
  }
  const slots = await rig.database.query<{ nonce: number; state: string; offers: number }[]>(
    `SELECT nonce::int, state, (SELECT count(*)::int FROM publisher_transactions t WHERE t.slot_id = s.id) AS offers
       FROM publisher_slots s ORDER BY nonce`,
  )
  expect(slots.map(({ nonce }) => nonce)).toEqual(slots.map((_, index) => index))
  const [key] = rig.chainConfig.publisherKeys
  const address = privateKeyToAccount(key as Hex).address
  expect(await anvil.client.getTransactionCount({ address })).toBe(slots.length)
  const bumps = slots.reduce((sum, { offers }) => sum + offers - 1, 0)
  console.log(
    `seed ${seed}: ${reorgs} reorgs in ${stormMs} ms, ${inputs.length} proofs, ${slots.length} nonces, ${dropped} dropped, ` +
      `${bumps} bumps, ${reopened} complete proofs reopened at the end, done after ${Date.now() - from} ms`,
  )
  expect(await audit()).toMatchObject({ code: 0, text: expect.stringContaining('0 mismatches') as string })
})

test('a contract that refuses makes proofs onchain_failed; when it accepts again, the operator’s retry completes them', async () => {
  await anvil.client.setAutomine(true)
  rig.chainConfig.confirmations = 1
  const [key] = rig.chainConfig.publisherKeys
  const { address } = privateKeyToAccount(key as Hex)
  const owner = createWalletClient({
    account: privateKeyToAccount(anvil.testChain.contractOwnerKey),
    chain: foundry,
    transport: http(anvil.rpcUrl),
  })
  const call = { address: anvil.testChain.contractAddress, abi: serviceAttestationsAbi } as const
  await owner.writeContract({ ...call, functionName: 'removePublisher', args: [address] })
  const inputs = [await rig.seed(), await rig.seed()]
  const handles = await Promise.all(inputs.map((input) => rig.publish(input)))
  for (const { slug } of inputs) {
    expect(await rig.reaches(slug, 'onchain_failed')).toMatchObject({
      failure: 'publish_reverted',
      onchainTxHash: null,
    })
  }
  await owner.writeContract({ ...call, functionName: 'addPublisher', args: [address] })
  for (const { slug } of inputs) await rig.temporal.retryPublish(slug, { operator: 'ops-1', reason: 'added again' })
  for (const handle of handles) expect(await handle.result()).toBe('complete')
  for (const { txHash } of inputs) expect(await eventsOf(txHash)).toHaveLength(1)
})

test('a proof whose budget ended before its transaction was mined is completed by the repair, without an operator', async () => {
  await rig.close()
  const budgets = {
    "startToCloseTimeout: '30m'": "startToCloseTimeout: '2s'",
    "scheduleToCloseTimeout: '30m'": "scheduleToCloseTimeout: '2s'",
  }
  rig = await startPublishingRig({ testChain: anvil.testChain, chain: { pollMs: 40 }, budgets })
  await rig.startWorkers()
  await anvil.client.setAutomine(false)
  const [running, givenUp] = [await rig.seed(), await rig.seed()]
  const handles = await Promise.all([running, givenUp].map((input) => rig.publish(input)))
  for (const { slug } of [running, givenUp]) await rig.reaches(slug, 'onchain_failed')
  const attempts = [running, givenUp].map(({ slug }) => runActivity(rig.activities.chain.publishOnchain, { slug }))
  await rig.temporal.abandonPublish(givenUp.slug, { operator: 'ops-1', reason: 'nobody needs it' })
  await expect(handles[1]?.result()).rejects.toThrow()
  await anvil.client.setAutomine(true)
  await anvil.client.mine({ blocks: 1 })
  // Attempts that nobody waits for any more may finish, but a run that waits would not learn of it.
  await Promise.all(attempts)
  for (const { slug } of [running, givenUp])
    expect(await recordOf(rig.database, slug)).toMatchObject({ status: 'onchain_failed' })
  for (const { slug, txHash } of [running, givenUp]) {
    await expect.poll(async () => (await repair()) && (await recordOf(rig.database, slug)).status).toBe('complete')
    expect(await eventsOf(txHash)).toHaveLength(1)
  }
  expect(await handles[0]?.result()).toBe('complete')
})
