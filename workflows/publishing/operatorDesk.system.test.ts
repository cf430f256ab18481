import { Client } from '@temporalio/client'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createKuboNode } from '../../clients/ipfs/createKuboNode.js'
import { keepHistory } from '../../temporal/testing/keepHistory.js'
import { components } from '../../tests/harness/index.js'
import { createFaultyProxy, type FaultyProxy } from '../../tests/rigs/servers/createFaultyProxy.js'
import { runActivity } from '../../tests/rigs/workers/runActivity.js'
import { eventsOf } from '../../tests/rigs/workers/eventsOf.js'
import { recordOf, startPublishingRig, type PublishingRig } from '../../tests/rigs/publishing/startPublishing.js'

const operator = { operator: 'ops-1', reason: 'repaired' }
/** Seconds instead of minutes; nothing else differs. */
const budgets = {
  "scheduleToCloseTimeout: '15m'": "scheduleToCloseTimeout: '3s'",
  "maximumInterval: '1m'": "maximumInterval: '1s'",
  "scheduleToCloseTimeout: '30m'": "scheduleToCloseTimeout: '4s'",
}

let rig: PublishingRig
let ipfs: FaultyProxy
let rpc: FaultyProxy
/** What happens just before a failure is recorded. */
let beforeFailure: (slug: string) => Promise<unknown> = () => Promise.resolve()

beforeAll(async () => {
  ipfs = await createFaultyProxy(components().ipfsApiUrl)
  rpc = await createFaultyProxy(components().rpcUrl)
  rig = await startPublishingRig({ nodes: [createKuboNode(ipfs.url)], chain: { rpcUrls: [rpc.url] }, budgets })
  const { recordFailure } = rig.activities.publish
  rig.activities.publish.recordFailure = async (step) => {
    await beforeFailure(step.slug)
    return recordFailure(step)
  }
  await rig.startWorkers()
})
afterAll(async () => {
  await rig.close()
  await Promise.all([ipfs.close(), rpc.close()])
})

test('a spent pin budget is pin_failed, the run stays open, and the operator’s retry completes the proof', async () => {
  ipfs.set('down')
  const input = await rig.seed()
  const handle = await rig.publish(input)
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

test('a request that is not encrypted is refused with a message, and disturbs nothing', async () => {
  ipfs.set('refuse')
  const input = await rig.seed()
  const handle = await rig.publish(input)
  await rig.reaches(input.slug, 'pin_failed')
  const plain = new Client({ connection: rig.client.connection, namespace: rig.namespace }).workflow.getHandle(
    handle.workflowId,
  )
  await expect(plain.executeUpdate('retryPublish', { args: [operator] })).rejects.toMatchObject({
    cause: { type: 'payload_refused', message: expect.stringMatching(/not encrypted.*npm run ops/) as string },
  })
  await plain.signal('retryPublishAll', 'an argument that nobody encrypted')
  await new Promise((resolve) => setTimeout(resolve, 500))
  expect(await rig.reaches(input.slug, 'pin_failed')).toMatchObject({ failure: 'pin_rejected' })
  ipfs.set('none')
  await rig.temporal.retryPublish(input.slug, operator)
  expect(await handle.result()).toBe('complete')
  await keepHistory(rig.client, handle.workflowId, 'publish-plain-signal')
})

test('a node that refuses the block until the budget is spent is pin_failed', async () => {
  ipfs.set('refuse')
  const input = await rig.seed()
  const handle = await rig.publish(input)
  expect(await rig.reaches(input.slug, 'pin_failed')).toMatchObject({ failure: 'pin_rejected' })
  ipfs.set('none')
  await rig.temporal.retryPublish(input.slug, operator)
  expect(await handle.result()).toBe('complete')
  await keepHistory(rig.client, handle.workflowId, 'publish-pin-rejected')
})

test('one refusal after a long outage is no failure: the node is asked again within the budget', async () => {
  const patient = await startPublishingRig({
    nodes: [createKuboNode(ipfs.url)],
    budgets: { "maximumInterval: '1m'": "maximumInterval: '1s'" },
  })
  try {
    await patient.startWorkers()
    ipfs.set('down')
    const handle = await patient.publish(await patient.seed())
    const pinning = async () => (await handle.describe()).raw.pendingActivities?.[0]
    await expect.poll(async () => (await pinning())?.attempt, { timeout: 60_000 }).toBeGreaterThan(4)
    ipfs.set('refuse')
    const failureType = async () => (await pinning())?.lastFailure?.applicationFailureInfo?.type
    await expect.poll(failureType, { timeout: 60_000 }).toBe('pin_rejected')
    ipfs.set('none')
    expect(await handle.result()).toBe('complete')
  } finally {
    ipfs.set('none')
    await patient.close()
  }
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

test('a cancelled publication ends as cancelled', async () => {
  ipfs.set('hang')
  const input = await rig.seed()
  const handle = await rig.publish(input)
  await handle.cancel()
  await expect(handle.result()).rejects.toMatchObject({ cause: { name: 'CancelledFailure' } })
  ipfs.set('none')
  await keepHistory(rig.client, handle.workflowId, 'publish-cancelled')
})

test('a spent chain budget is onchain_failed with the receipt still public; the retry completes with one event', async () => {
  rpc.set('down')
  const input = await rig.seed()
  const handle = await rig.publish(input)
  const failed = await rig.reaches(input.slug, 'onchain_failed')
  // The last attempt's own error, or the end of the budget in the middle of one.
  expect(['chain_unavailable', 'publish_unconfirmed']).toContain(failed.failure)
  expect(failed.onchainTxHash).toBeNull()
  expect(failed.ipfsCid).toMatch(/^bafkrei/)
  rpc.set('none')
  await rig.temporal.retryPublish(input.slug, operator)
  expect(await handle.result()).toBe('complete')
  expect(await eventsOf(input.txHash)).toHaveLength(1)
  await keepHistory(rig.client, handle.workflowId, 'publish-chain-failed-retried-by-operator')
})

test('an attempt that finishes just after its budget, and before the failure is recorded, needs no operator', async () => {
  rpc.set('down')
  const input = await rig.seed()
  beforeFailure = async (slug) => {
    if (slug !== input.slug) return
    rpc.set('none')
    await runActivity(rig.activities.chain.publishOnchain, { slug })
  }
  const handle = await rig.publish(input)
  expect(await handle.result()).toBe('complete')
  expect(await eventsOf(input.txHash)).toHaveLength(1)
  expect(await recordOf(rig.database, input.slug)).toMatchObject({ status: 'complete', error_code: null })
  await keepHistory(rig.client, handle.workflowId, 'publish-finished-late')
})

test('an attempt to pin that finishes after its failure was recorded does not move the record, and the retry pins it again', async () => {
  ipfs.set('down')
  const input = await rig.seed()
  const handle = await rig.publish(input)
  await rig.reaches(input.slug, 'pin_failed')
  ipfs.set('none')
  const late = runActivity(rig.activities.publish.pinReceipt, { slug: input.slug })
  await expect(late).rejects.toMatchObject({ code: 'pin_unavailable' })
  expect(await recordOf(rig.database, input.slug)).toMatchObject({ status: 'pin_failed', cid: null })
  await rig.temporal.retryPublish(input.slug, operator)
  expect(await handle.result()).toBe('complete')
})

test('onchain_failed is given up by an operator', async () => {
  rpc.set('down')
  const input = await rig.seed()
  const handle = await rig.publish(input)
  await rig.reaches(input.slug, 'onchain_failed')
  await rig.temporal.abandonPublish(input.slug, operator)
  await expect(handle.result()).rejects.toMatchObject({ cause: { type: 'publish_abandoned' } })
  rpc.set('none')
  expect(await recordOf(rig.database, input.slug)).toMatchObject({ status: 'onchain_failed' })
  await keepHistory(rig.client, handle.workflowId, 'publish-chain-failed-abandoned')
})

test('one signal moves every failed proof on', async () => {
  rpc.set('down')
  const inputs = [await rig.seed(), await rig.seed()]
  const handles = await Promise.all(inputs.map((input) => rig.publish(input)))
  for (const { slug } of inputs) await rig.reaches(slug, 'onchain_failed')
  rpc.set('none')
  for (const handle of handles) await handle.signal('retryPublishAll')
  for (const handle of handles) expect(await handle.result()).toBe('complete')
  await keepHistory(rig.client, handles[0]?.workflowId ?? '', 'publish-retried-by-signal')
})

test('no operator comes: the proof is given up after the wait', async () => {
  await rig.stopWorkers()
  const impatient = await startPublishingRig({
    nodes: [createKuboNode(ipfs.url)],
    budgets: { ...budgets, "operatorWait = '30 days'": "operatorWait = '1s'" },
  })
  try {
    await impatient.startWorkers()
    ipfs.set('refuse')
    const handle = await impatient.publish(await impatient.seed())
    await expect(handle.result()).rejects.toMatchObject({ cause: { type: 'publish_abandoned' } })
    await keepHistory(impatient.client, handle.workflowId, 'publish-no-operator')
  } finally {
    ipfs.set('none')
    await impatient.close()
  }
})
