import { createPublicClient, http } from 'viem'
import { decodeArrayFromPayloads } from '@temporalio/common/lib/internal-non-workflow/index.js'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { cidOf, serializeSigned } from '@perigee/core'
import { assembleReceipt } from '../../activities/publishing/assembleReceipt.js'
import { createKuboNode } from '../../clients/ipfs/createKuboNode.js'
import { findBirth, getProof, loadProofRecord, markPinned } from '../../database/index.js'
import { restartPublishing } from '../../temporal/index.js'
import { keepHistory } from '../../temporal/testing/keepHistory.js'
import { components, fund } from '../../tests/harness/index.js'
import { createFaultyProxy, type FaultyProxy } from '../../tests/rigs/servers/createFaultyProxy.js'
import { eventsOf } from '../../tests/rigs/workers/eventsOf.js'
import { collateralBundle, type SeededProof } from '../../tests/rigs/publishing/seedProof.js'
import { startPublishingRig, type PublishingRig } from '../../tests/rigs/publishing/startPublishing.js'

const unsentAfterSeconds = 8
/** On a chain whose RPC we have, so that its transaction is looked for. */
const onAnvil = { chainId: 31337, nonce: 0, gas: '60000', data: '0x' as const }

let rig: PublishingRig
let ipfs: FaultyProxy
let rpc: FaultyProxy

beforeAll(async () => {
  ipfs = await createFaultyProxy(components().ipfsApiUrl)
  rpc = await createFaultyProxy(components().rpcUrl)
  rig = await startPublishingRig({
    nodes: [createKuboNode(ipfs.url)],
    chain: { rpcUrls: [rpc.url] },
    evidence: { verifyQuoteAgain },
    publishUnsentAfterSeconds: unsentAfterSeconds,
  })
  await rig.startWorkers()
})
afterAll(async () => {
  await rig.close()
  await Promise.all([ipfs.close(), rpc.close()])
})

/** What the newest collateral says. */
async function verifyQuoteAgain() {
  const { cid: collateralCid, bytes: collateralBytes } = await collateralBundle(0)
  const verdict = { verifiedAt: Math.floor(Date.now() / 1000), tcbStatus: 'UpToDate', advisoryIds: [] } as never
  return { verdict, collateralCid, collateralBytes }
}

/** Returns the CID of the receipt, which then counts as pinned. */
async function pinAsWorkersDo({ slug, walletId }: SeededProof): Promise<string> {
  const record = await loadProofRecord(rig.database, slug)
  const birth = await findBirth(rig.database, walletId)
  const receipt = assembleReceipt(record!, birth!.cid)
  const cid = cidOf(new TextEncoder().encode(receipt))
  await markPinned(rig.database, slug, { cid, receipt, nodes: [] })
  return cid
}

const pendingActivities = async (slug: string) => {
  const { raw } = await rig.client.workflow.getHandle(`receipt/${slug}`).describe()
  return (raw.pendingActivities ?? []).map(({ activityType, attempt }) => ({ name: activityType?.name, attempt }))
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
  // The transaction is for a chain without an RPC of ours, so nobody could see it sent.
  const { events } = await handle.fetchHistory()
  const first = events?.find((event) => event.activityTaskCompletedEventAttributes)
  const { payloads } = first?.activityTaskCompletedEventAttributes?.result ?? {}
  expect(await decodeArrayFromPayloads(rig.client.options.loadedDataConverter, payloads)).toEqual([
    { reason: 'no_rpc' },
  ])
})

test('a receipt is held back until its transaction was seen, and then published', async () => {
  const input = await rig.seed(onAnvil)
  const handle = await rig.publish(input)
  // The first attempt has ended and Temporal's retry waits: no slot is held.
  await expect.poll(() => pendingActivities(input.slug)).toMatchObject([{ name: 'awaitBroadcast', attempt: 2 }])
  await expect.poll(() => rig.temporal.queryProof(input.slug)).toMatchObject({ status: 'pending_pin', ipfsCid: null })
  expect(await getProof(rig.database, input.slug)).toMatchObject({ status: 'pending_pin', receipt: null })

  await fund(input.wallet)
  const chain = createPublicClient({ transport: http(components().rpcUrl) })
  const serializedTransaction = serializeSigned(input.transaction, input.signature)
  expect(await chain.sendRawTransaction({ serializedTransaction })).toBe(input.txHash)
  expect(await handle.result()).toBe('complete')
  await keepHistory(rig.client, handle.workflowId, 'publish-seen-late')
})

test('an unsent transaction is published once the wait is over, and not before', async () => {
  const input = await rig.seed(onAnvil)
  const handle = await rig.publish(input)
  expect(await handle.result()).toBe('complete')
  const [row] = await rig.database.query(
    `SELECT extract(epoch FROM min(p.verified_at) - u.created_at)::float AS waited
       FROM publications u JOIN pins p ON p.cid = u.cid WHERE u.slug = $1 GROUP BY u.created_at`,
    [input.slug],
  )
  expect(row.waited).toBeGreaterThanOrEqual(unsentAfterSeconds)
  await keepHistory(rig.client, handle.workflowId, 'publish-unsent')
})

test('an IPFS node that is down for a moment is tried again within the budget', async () => {
  ipfs.set('down')
  const input = await rig.seed()
  const handle = await rig.publish(input)
  await expect.poll(() => pendingActivities(input.slug)).toMatchObject([{ name: 'pinReceipt', attempt: 2 }])
  await expect.poll(() => rig.temporal.queryProof(input.slug)).toMatchObject({ status: 'pending_pin', ipfsCid: null })
  expect(await getProof(rig.database, input.slug)).toMatchObject({ status: 'pending_pin', receipt: null })
  ipfs.set('none')
  expect(await handle.result()).toBe('complete')
  await keepHistory(rig.client, handle.workflowId, 'publish-pin-retried')
})

test('an operator’s request is refused while nothing has failed, and leaves no trace in history', async () => {
  ipfs.set('down')
  const input = await rig.seed()
  const handle = await rig.publish(input)
  const operator = { operator: 'ops-1', reason: 'impatient' }
  await expect(rig.temporal.retryPublish(input.slug, operator)).rejects.toMatchObject({ code: 'invalid_request' })
  await expect(rig.temporal.abandonPublish(input.slug, operator)).rejects.toMatchObject({ code: 'invalid_request' })
  const { events } = await handle.fetchHistory()
  expect(events?.some((e) => e.workflowExecutionUpdateAcceptedEventAttributes)).toBe(false)
  await handle.signal('retryPublishAll') // it has not failed: nothing to retry
  ipfs.set('none')
  expect(await handle.result()).toBe('complete')
  await keepHistory(rig.client, handle.workflowId, 'publish-signal-too-early')
})

test('an RPC that is away for a moment is asked again within the budget, and the workflow answers meanwhile', async () => {
  rpc.set('down')
  const input = await rig.seed()
  const handle = await rig.publish(input)
  await rig.reaches(input.slug, 'pending_onchain')
  await expect.poll(() => rig.temporal.queryProof(input.slug)).toMatchObject({ status: 'pending_onchain' })
  expect(await getProof(rig.database, input.slug)).toMatchObject({ status: 'pending_onchain', onchainTxHash: null })
  rpc.set('none')
  expect(await handle.result()).toBe('complete')
  await keepHistory(rig.client, handle.workflowId, 'publish-chain-retried')
})

test('a broadcast whose answer is lost is not sent as another transaction', async () => {
  rpc.set('cut-answer', (request) => request.includes('eth_sendRawTransaction'))
  const input = await rig.seed()
  expect(await (await rig.publish(input)).result()).toBe('complete')
  rpc.set('none')
  expect(await eventsOf(input.txHash)).toHaveLength(1)
})

test('a worker that is stopped in the middle hands the proof over', async () => {
  rig.chainConfig.confirmations = 50 // the shared chain mines on demand: it will not get there
  const input = await rig.seed()
  const handle = await rig.publish(input)
  await rig.reaches(input.slug, 'pending_onchain')
  await expect.poll(() => eventsOf(input.txHash)).toHaveLength(1)
  await rig.stopWorkers()
  rig.chainConfig.confirmations = 1
  await rig.startWorkers()
  expect(await handle.result()).toBe('complete')
  expect(await eventsOf(input.txHash)).toHaveLength(1)
  await keepHistory(rig.client, handle.workflowId, 'publish-worker-stopped')
})

test('a message is published without waiting for a chain, and shows neither content nor signature', async () => {
  // Pinned a week ago: it is assembled again, with newer collateral.
  const input = await rig.seed({}, { message: true, collateralDays: 7 })
  const former = await pinAsWorkersDo(input)
  await restartPublishing(rig.client, input, 'repairProofs')
  const handle = rig.client.workflow.getHandle(`receipt/${input.slug}`)
  expect(await handle.result()).toBe('complete')
  const proof = await getProof(rig.database, input.slug)
  expect(proof).toMatchObject({ kind: 'message', chainId: 0, txHash: input.txHash, status: 'complete' })
  expect(proof?.ipfsCid).not.toBe(former)
  expect(proof?.receipt).toMatchObject({ message: { requestHash: input.digest, commitment: input.txHash } })
  expect(JSON.stringify(proof)).not.toContain(input.signature.slice(2))
  expect((await eventsOf(input.txHash)).map(({ args }) => args.ipfsCid)).toEqual([proof?.ipfsCid])
  const { searchAttributes } = await handle.describe()
  expect(searchAttributes).toMatchObject({ ProofKind: ['message'], TxHash: [input.txHash], ChainId: [0] })
})

test('a receipt that was pinned a week ago and never published is pinned again with newer collateral, and published once', async () => {
  const input = await rig.seed({}, { collateralDays: 7 })
  const former = await pinAsWorkersDo(input)
  const handle = await rig.publish(input)
  expect(await handle.result()).toBe('complete')
  const proof = await getProof(rig.database, input.slug)
  expect(proof?.ipfsCid).not.toBe(former)
  expect(proof?.receipt).toMatchObject({ signer: { collateralCid: (await collateralBundle(0)).cid } })
  expect((await eventsOf(input.txHash)).map(({ args }) => args.ipfsCid)).toEqual([proof?.ipfsCid])
  await keepHistory(rig.client, handle.workflowId, 'publish-outdated')
})
