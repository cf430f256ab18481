import { createPublicClient, http } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { cidOf } from '@perigee/core'
import { attestationPublished } from '@perigee/core/proof'
import { createKuboNode } from '../clients/ipfs/createKuboNode.js'
import { getProof } from '../database/index.js'
import { keepHistory } from '../temporal/testing/keepHistory.js'
import { components } from '../tests/harness/index.js'
import { createFaultyProxy, type FaultyProxy } from '../tests/rigs/createFaultyProxy.js'
import { recordOf, startPublishingRig, type PublishingRig } from '../tests/rigs/startPublishing.js'
import { publishBudgets } from './budgets.js'

const operator = { operator: 'ops-1', reason: 'repaired' }
const retry = { initialInterval: '100ms', maximumInterval: '200ms' } as const
/** Budgets in seconds instead of minutes; nothing else differs. */
const shortPin = { pin: { ...publishBudgets.pin, scheduleToCloseTimeout: '2s', retry } } as const
const shortChain = { chain: { ...publishBudgets.chain, scheduleToCloseTimeout: '3s', retry } } as const

let rig: PublishingRig
let ipfs: FaultyProxy
let rpc: FaultyProxy

beforeAll(async () => {
  ipfs = await createFaultyProxy(components().ipfsApiUrl)
  rpc = await createFaultyProxy(components().rpcUrl)
  rig = await startPublishingRig({ nodes: [createKuboNode(ipfs.url)], chain: { rpcUrls: [rpc.url] } })
  await rig.startWorkers()
})
afterAll(async () => {
  await rig.close()
  await Promise.all([ipfs.close(), rpc.close()])
})

async function eventsOf(txHash: `0x${string}`) {
  const chain = createPublicClient({ transport: http(components().rpcUrl) })
  return chain.getLogs({ event: attestationPublished, args: { txHash }, fromBlock: 0n })
}

test('a committed signature becomes a pinned receipt and one event, and the proof is complete', async () => {
  const input = await rig.seed()
  const handle = await rig.publish(input)
  expect(await handle.result()).toBe('complete')

  const proof = await getProof(rig.database, input.slug)
  expect(proof).toMatchObject({ status: 'complete', txHash: input.txHash, walletAddress: input.wallet })
  const receiptUrl = `${components().ipfsGatewayUrl}/ipfs/${proof?.ipfsCid ?? ''}`
  const bytes = new Uint8Array(await (await fetch(receiptUrl)).arrayBuffer())
  expect(cidOf(bytes)).toBe(proof?.ipfsCid)
  expect(JSON.parse(new TextDecoder().decode(bytes))).toEqual(proof?.receipt)

  const logs = await eventsOf(input.txHash)
  expect(logs.map(({ args }) => args.ipfsCid)).toEqual([proof?.ipfsCid])
  expect(logs[0]?.transactionHash).toBe(proof?.onchainTxHash)
  expect(Number(logs[0]?.blockNumber)).toBe(proof?.onchainBlockNumber)

  const { searchAttributes } = await handle.describe()
  expect(searchAttributes).toMatchObject({ ProofStatus: ['complete'], Cid: [proof?.ipfsCid] })
  await keepHistory(rig.client, handle.workflowId, 'publish-complete')
})

test('an IPFS node that is down for a moment is tried again within the budget', async () => {
  ipfs.set('down')
  const input = await rig.seed()
  const handle = await rig.publish(input)
  await new Promise((resolve) => setTimeout(resolve, 700))
  await expect
    .poll(() => rig.temporal.queryProof(input.slug), { timeout: 20_000 })
    .toMatchObject({ status: 'pending_pin', ipfsCid: null })
  expect(await getProof(rig.database, input.slug)).toMatchObject({ status: 'pending_pin', receipt: null })
  ipfs.set('none')
  expect(await handle.result()).toBe('complete')
  await keepHistory(rig.client, handle.workflowId, 'publish-pin-retried')
})

test('a spent pin budget is pin_failed, the run stays open, and the operator’s retry completes the proof', async () => {
  ipfs.set('down')
  const input = await rig.seed()
  const handle = await rig.publish(input, shortPin)
  expect(await rig.reaches(input.slug, 'pin_failed')).toMatchObject({ failure: 'pin_unavailable', ipfsCid: null })
  expect(await recordOf(rig.database, input.slug)).toMatchObject({
    status: 'pin_failed',
    error_code: 'pin_unavailable',
  })
  const { searchAttributes, status } = await handle.describe()
  expect(searchAttributes).toMatchObject({ ProofStatus: ['pin_failed'], FailureType: ['pin_unavailable'] })
  expect(status.name).toBe('RUNNING')

  ipfs.set('none')
  await rig.temporal.retryPublish(input.slug, operator)
  expect(await handle.result()).toBe('complete')
  expect((await handle.describe()).searchAttributes['FailureType']).toBeUndefined()
  expect(await recordOf(rig.database, input.slug)).toMatchObject({ status: 'complete', error_code: null })
  await keepHistory(rig.client, handle.workflowId, 'publish-pin-failed-retried-by-operator')
})

test('a node that refuses the block for good is pin_failed at once', async () => {
  ipfs.set('refuse')
  const input = await rig.seed()
  const handle = await rig.publish(input)
  expect(await rig.reaches(input.slug, 'pin_failed')).toMatchObject({ failure: 'pin_rejected' })
  ipfs.set('none')
  await rig.temporal.retryPublish(input.slug, operator)
  expect(await handle.result()).toBe('complete')
  await keepHistory(rig.client, handle.workflowId, 'publish-pin-rejected')
})

test('a node that gives back other bytes is not believed', async () => {
  ipfs.set('garble', (request) => request.includes('/block/get'))
  const input = await rig.seed()
  const handle = await rig.publish(input)
  expect(await rig.reaches(input.slug, 'pin_failed')).toMatchObject({ failure: 'cid_mismatch' })
  ipfs.set('none')
  await rig.temporal.abandonPublish(input.slug, operator)
  await expect(handle.result()).rejects.toMatchObject({ cause: { type: 'publish_abandoned' } })
  expect(await recordOf(rig.database, input.slug)).toMatchObject({ status: 'pin_failed', cid: null })
  await keepHistory(rig.client, handle.workflowId, 'publish-pin-failed-abandoned')
})

test('an operator’s request is refused while nothing has failed, and leaves no trace in history', async () => {
  ipfs.set('hang')
  const input = await rig.seed()
  const handle = await rig.publish(input)
  await expect(rig.temporal.retryPublish(input.slug, operator)).rejects.toMatchObject({ code: 'invalid_request' })
  await expect(rig.temporal.abandonPublish(input.slug, operator)).rejects.toMatchObject({ code: 'invalid_request' })
  const { events } = await handle.fetchHistory()
  expect(events?.some((e) => e.workflowExecutionUpdateAcceptedEventAttributes)).toBe(false)
  ipfs.set('none')
  await handle.terminate('the test is over')
})

test('nobody comes: the proof is given up after the wait', async () => {
  ipfs.set('refuse')
  const input = await rig.seed()
  const handle = await rig.publish(input, { operatorWait: '1s' })
  await expect(handle.result()).rejects.toMatchObject({ cause: { type: 'publish_abandoned' } })
  ipfs.set('none')
  await keepHistory(rig.client, handle.workflowId, 'publish-nobody-came')
})

test('an RPC that is away for a moment is asked again within the budget', async () => {
  rpc.set('down')
  const input = await rig.seed()
  const handle = await rig.publish(input)
  await rig.reaches(input.slug, 'pending_onchain')
  await new Promise((resolve) => setTimeout(resolve, 500))
  expect(await getProof(rig.database, input.slug)).toMatchObject({ status: 'pending_onchain', onchainTxHash: null })
  rpc.set('none')
  expect(await handle.result()).toBe('complete')
  await keepHistory(rig.client, handle.workflowId, 'publish-chain-retried')
})

test('a spent chain budget is onchain_failed with the receipt still public; the retry completes with one event', async () => {
  rpc.set('down')
  const input = await rig.seed()
  const handle = await rig.publish(input, shortChain)
  const failed = await rig.reaches(input.slug, 'onchain_failed')
  // Whichever came last: an attempt's own error, or the end of the budget in the middle of one.
  expect(['chain_unavailable', 'publish_unconfirmed']).toContain(failed.failure)
  expect(failed.onchainTxHash).toBeNull()
  expect(failed.ipfsCid).toMatch(/^bafkrei/)
  rpc.set('none')
  await rig.temporal.retryPublish(input.slug, operator)
  expect(await handle.result()).toBe('complete')
  expect(await eventsOf(input.txHash)).toHaveLength(1)
  await keepHistory(rig.client, handle.workflowId, 'publish-chain-failed-retried-by-operator')
})

test('a broadcast whose answer is lost is not sent as another transaction', async () => {
  rpc.set('cut-answer', (request) => request.includes('eth_sendRawTransaction'))
  const input = await rig.seed()
  expect(await (await rig.publish(input)).result()).toBe('complete')
  rpc.set('none')
  expect(await eventsOf(input.txHash)).toHaveLength(1)
})

test('onchain_failed is given up by an operator', async () => {
  rpc.set('down')
  const input = await rig.seed()
  const handle = await rig.publish(input, shortChain)
  await rig.reaches(input.slug, 'onchain_failed')
  await rig.temporal.abandonPublish(input.slug, operator)
  await expect(handle.result()).rejects.toMatchObject({ cause: { type: 'publish_abandoned' } })
  rpc.set('none')
  expect(await recordOf(rig.database, input.slug)).toMatchObject({ status: 'onchain_failed' })
  await keepHistory(rig.client, handle.workflowId, 'publish-chain-failed-abandoned')
})

test('a worker that is stopped in the middle hands the proof over', async () => {
  rig.chainConfig.confirmations = 50 // the shared chain mines on demand: it will not get there
  const input = await rig.seed()
  const handle = await rig.publish(input)
  await rig.reaches(input.slug, 'pending_onchain')
  while ((await eventsOf(input.txHash)).length === 0) await new Promise((resolve) => setTimeout(resolve, 50))
  await rig.stopWorkers()
  rig.chainConfig.confirmations = 1
  await rig.startWorkers()
  expect(await handle.result()).toBe('complete')
  expect(await eventsOf(input.txHash)).toHaveLength(1)
  await keepHistory(rig.client, handle.workflowId, 'publish-worker-stopped')
})

test('one signal moves every failed proof on', async () => {
  rpc.set('down')
  const inputs = [await rig.seed(), await rig.seed()]
  const handles = await Promise.all(inputs.map((input) => rig.publish(input, shortChain)))
  for (const { slug } of inputs) await rig.reaches(slug, 'onchain_failed')
  rpc.set('none')
  for (const handle of handles) await handle.signal('retryPublishAll')
  for (const handle of handles) expect(await handle.result()).toBe('complete')
  await keepHistory(rig.client, handles[0]?.workflowId ?? '', 'publish-retried-by-signal')
})

test('the sweep gives a workflow to an unfinished proof that has none, and leaves the others alone', async () => {
  const input = await rig.seed()
  const sweep = (n: number) =>
    rig.client.workflow.execute<(limits: object) => Promise<{ started: string[]; overdue: string[] }>>('sweepProofs', {
      workflowId: `sweep-${n}`,
      taskQueue: 'publish',
      args: [{ minimumAgeSeconds: 0, overdueSeconds: -1, pins: { olderThanSeconds: -1, limit: 50 } }],
    })
  const first = await sweep(1)
  expect(first.started).toContain(input.slug)
  expect(first.overdue).toContain(input.slug)
  expect(await rig.client.workflow.getHandle(`receipt/${input.slug}`).result()).toBe('complete')
  expect((await sweep(2)).started).not.toContain(input.slug)
  await keepHistory(rig.client, 'sweep-1', 'sweep')
  await keepHistory(rig.client, `receipt/${input.slug}`, 'publish-started-by-sweep')
})

test('the sweep puts a lost pin back', async () => {
  const input = await rig.seed()
  await (await rig.publish(input)).result()
  const cid = (await recordOf(rig.database, input.slug)).cid ?? ''
  const kubo = (path: string) => fetch(`${components().ipfsApiUrl}/api/v0/${path}`, { method: 'POST' })
  expect((await kubo(`pin/rm?arg=${cid}`)).status).toBe(200)
  expect((await kubo(`pin/ls?arg=${cid}`)).status).toBe(500)
  await rig.client.workflow.execute('sweepProofs', {
    workflowId: 'sweep-3',
    taskQueue: 'publish',
    args: [{ minimumAgeSeconds: 0, pins: { olderThanSeconds: -1, limit: 500 } }],
  })
  expect((await kubo(`pin/ls?arg=${cid}`)).status).toBe(200)
})
