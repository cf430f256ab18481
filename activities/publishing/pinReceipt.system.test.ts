import { createPublishingMeter } from '../../clients/createPublishingMeter.js'
import { installQuietRuntime } from '../../tests/rigs/workers/quietRuntime.js'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { DataSource } from 'typeorm'
import { cidOf, ServiceError } from '@perigee/core'
import { getProof, openDatabase, pinnedNodes } from '../../database/index.js'
import { freshDatabase, type FreshDatabase } from '../../tests/harness/index.js'
import { createFaultyProxy, type FaultyProxy } from '../../tests/rigs/servers/createFaultyProxy.js'
import { runActivity } from '../../tests/rigs/workers/runActivity.js'
import { collateralBundle, noEvidence, seedProof } from '../../tests/rigs/publishing/seedProof.js'
import type { PinRepair } from '../../clients/ipfs/repairPins.js'
import { createPinActivities, type PinDeps } from './createPinActivities.js'
import { createGateway } from '../../clients/ipfs/createGateway.js'
import { createKuboNode } from '../../clients/ipfs/createKuboNode.js'
import { createPinningService } from '../../clients/ipfs/createPinningService.js'
import { startKubo, type TestKubo } from '../../tests/rigs/servers/startKubo.js'
import { startPinningService } from '../../clients/testing/startPinningService.js'

installQuietRuntime()
const token = 'the-token-of-this-test'
let kubos: TestKubo[]
let proxy: FaultyProxy
let fresh: FreshDatabase
let database: DataSource
let service: Awaited<ReturnType<typeof startPinningService>>

beforeAll(async () => {
  ;[kubos, fresh] = await Promise.all([Promise.all([startKubo(), startKubo(), startKubo()]), freshDatabase()])
  database = await openDatabase({ url: fresh.url })
  proxy = await createFaultyProxy(kubo(2).apiUrl)
  service = await startPinningService(kubo(2), token)
})
afterAll(async () => {
  await database.destroy()
  await Promise.all([fresh.drop(), proxy.close(), service.close(), ...kubos.map((one) => one.close())])
})
beforeEach(() => proxy.set('none'))

const kubo = (index: number) => kubos[index] as TestKubo
const nodeAt = (url: string) => createKuboNode(url, 5_000)
const unpublished = {
  config: { chainId: 31337, contract: `0x${'11'.repeat(20)}` as const, contractBlock: 0, formerContracts: [] },
  publishedCid: () => Promise.resolve(null),
  findMined: () => Promise.resolve([]),
}
/** Two nodes, and a third whose wire can be troubled. */
const nodes = () => [nodeAt(kubo(0).apiUrl), nodeAt(kubo(1).apiUrl), nodeAt(proxy.url)]
const meter = createPublishingMeter()
const activities = (changes: Partial<PinDeps> = {}) =>
  createPinActivities({
    database,
    evidence: noEvidence,
    chain: unpublished,
    nodes: nodes(),
    required: 2,
    meter,
    ...changes,
  })
const pin = (slug: string, changes?: Partial<PinDeps>): Promise<{ cid: string }> =>
  runActivity(activities(changes).pinReceipt, { slug })
const repair = (changes?: Partial<PinDeps>): Promise<PinRepair> =>
  runActivity(activities(changes).repairPins, { olderThanSeconds: -1, limit: 500 })
const seed = (given: Parameters<typeof seedProof>[2] = {}) =>
  seedProof(database, { chainId: 31337, contract: `0x${'11'.repeat(20)}` }, given)
const named = (url: string) => new URL(url).host

async function blockOn(node: TestKubo, cid: string): Promise<Uint8Array | null> {
  const answer = await node.rpc(`block/get?arg=${cid}&offline=true`)
  return answer.ok ? new Uint8Array(await answer.arrayBuffer()) : null
}

test('a receipt is put, pinned and read back on every node, and what it names is there before it', async () => {
  const { slug } = await seed()
  const { cid } = await pin(slug, { required: 3 })
  expect(await pinnedNodes(database, cid)).toHaveLength(3)
  for (const node of kubos) {
    expect(cidOf((await blockOn(node, cid)) ?? new Uint8Array())).toBe(cid)
    expect((await node.rpc(`pin/ls?arg=${cid}&type=recursive`)).status).toBe(200)
  }
  const bundles = await database.query<{ cid: string }[]>('SELECT cid FROM bundles')
  for (const bundle of bundles) expect(await pinnedNodes(database, bundle.cid)).toHaveLength(3)
})

test('a node that is down is named; two of three are enough, and repairPins brings the third up to date', async () => {
  await kubo(1).kill()
  const down = named(kubo(1).apiUrl)
  const [first, second] = [await seed(), await seed()]
  await expect(pin(first.slug, { required: 3 })).rejects.toMatchObject({
    code: 'pin_unavailable',
    message: expect.stringContaining(down) as string,
  })
  const { cid } = await pin(second.slug)
  expect(await pinnedNodes(database, cid)).not.toContain(down)
  expect(await repair()).toMatchObject({ short: [], failing: [down] })
  await kubo(1).start()
  expect(await repair()).toMatchObject({ short: [], failing: [] })
  expect(await pinnedNodes(database, cid)).toContain(down)
  expect(await nodeAt(kubo(1).apiUrl).look(cid)).toBe('held')
})

test('a node that hangs is waited for a second, not until its time-out', async () => {
  proxy.set('hang')
  const { slug } = await seed()
  const slow = [nodeAt(kubo(0).apiUrl), nodeAt(kubo(1).apiUrl), createKuboNode(proxy.url, 20_000)]
  const from = Date.now()
  const { cid } = await pin(slug, { nodes: slow })
  expect(Date.now() - from).toBeLessThan(8_000)
  expect(await pinnedNodes(database, cid)).toHaveLength(2)
  proxy.set('none')
  await repair()
  expect(await pinnedNodes(database, cid)).toHaveLength(3)
})

test('a node whose disk is full is tried again, and takes the block when it has room', async () => {
  proxy.set('full')
  const { slug } = await seed()
  const refused = pin(slug, { required: 3 })
  await expect(refused).rejects.toMatchObject({ code: 'pin_unavailable', retryable: true })
  expect(await getProof(database, slug)).toMatchObject({ status: 'pending_pin', ipfsCid: null })
  proxy.set('none')
  await pin(slug, { required: 3 })
  expect(await getProof(database, slug)).toMatchObject({ status: 'pending_onchain' })
})

test.each(['other-cid', 'garble'] as const)('a node that lies (%s) does not count', async (fault) => {
  proxy.set(fault, (request) => request.includes(fault === 'garble' ? '/block/get' : '/block/put'))
  const { slug } = await seed()
  await expect(pin(slug, { required: 3 })).rejects.toMatchObject({
    code: 'cid_mismatch',
    message: expect.stringContaining(named(proxy.url)) as string,
  })
  const { cid } = await pin(slug)
  expect(await pinnedNodes(database, cid)).not.toContain(named(proxy.url))
})

test('a node that loses a pin, and the block with it, gets it back from repairPins', async () => {
  const { slug } = await seed()
  const { cid } = await pin(slug, { required: 3 })
  await (await kubo(0).rpc(`pin/rm?arg=${cid}`)).text()
  await (await kubo(0).rpc('repo/gc')).text()
  expect(await blockOn(kubo(0), cid)).toBeNull()
  expect(await nodeAt(kubo(0).apiUrl).look(cid)).toBe('missing')
  expect(await repair()).toMatchObject({ short: [], failing: [] })
  expect(await nodeAt(kubo(0).apiUrl).look(cid)).toBe('held')
})

test('repairPins names blocks that too few nodes hold', async () => {
  const { slug } = await seed()
  const { cid } = await pin(slug)
  proxy.set('down')
  const { short, failing } = await repair({ required: 3 })
  expect(short).toContain(cid)
  expect(failing).toEqual([named(proxy.url)])
})

test('a public gateway that must show the receipt holds it back until it does', async () => {
  const { slug } = await seed()
  const publicGateway = createGateway(kubo(2).gatewayUrl) // it serves what node 2 has, and fetches nothing
  const two = [nodeAt(kubo(0).apiUrl), nodeAt(kubo(1).apiUrl)]
  await expect(pin(slug, { nodes: two, publicGateway })).rejects.toMatchObject({ code: 'pin_unavailable' })
  expect(await getProof(database, slug)).toMatchObject({ status: 'pending_pin', ipfsCid: null })
  const { cid } = await pin(slug, { publicGateway })
  expect(await publicGateway.read(cid)).toBeInstanceOf(Uint8Array)
})

test('a receipt that is pinned days after its signature is verified again and names the collateral of the day', async () => {
  const newest = await collateralBundle(0)
  const verdict = {
    verifiedAt: Math.floor(Date.now() / 1000),
    tcbStatus: 'SWHardeningNeeded',
    advisoryIds: ['INTEL-SA-1'],
  }
  const verifyQuoteAgain = () =>
    Promise.resolve({ verdict: verdict as never, collateralCid: newest.cid, collateralBytes: newest.bytes })
  const evidence = { verifyQuoteAgain }
  const { slug } = await seed({ collateralDays: 20 })
  // The first attempt ends after the new verdict was recorded; the second makes the same receipt.
  proxy.set('full')
  await expect(pin(slug, { evidence, required: 3 })).rejects.toMatchObject({ code: 'pin_unavailable' })
  proxy.set('none')
  const { cid } = await pin(slug)
  const proof = await getProof(database, slug)
  expect(proof?.receipt).toMatchObject({ signer: { ...verdict, collateralCid: newest.cid } })
  expect(await pinnedNodes(database, newest.cid)).not.toEqual([])
  expect(await pin(slug, { evidence })).toEqual({ cid })
})

test('a platform that was revoked since its signature stops the receipt, and so does collateral that nobody renews', async () => {
  const { slug } = await seed({ collateralDays: 20 })
  const revoked = { verifyQuoteAgain: () => Promise.reject(new ServiceError('cert_revoked', 'revoked')) }
  await expect(pin(slug, { evidence: revoked })).rejects.toMatchObject({ code: 'cert_revoked' })
  const { cid, bytes } = await collateralBundle(8)
  const stale = {
    verifyQuoteAgain: () =>
      Promise.resolve({ verdict: { verifiedAt: 1 } as never, collateralCid: cid, collateralBytes: bytes }),
  }
  await expect(pin(slug, { evidence: stale })).rejects.toMatchObject({ code: 'collateral_stale', retryable: true })
  expect(await getProof(database, slug)).toMatchObject({ status: 'pending_pin', ipfsCid: null })
})

const hosted = (changes: { token?: string } = {}) =>
  createPinningService({
    name: 'hosted',
    url: service.url,
    token,
    pollMs: 50,
    waitMs: 15_000,
    ...changes,
    origins: [nodeAt(kubo(0).apiUrl)],
    gateway: createGateway(kubo(2).gatewayUrl),
  })

test('a hosted service fetches the block from our node, pins it, and it is read back through its gateway', async () => {
  const { slug } = await seed()
  const remote = hosted()
  const { cid } = await pin(slug, { nodes: [nodeAt(kubo(0).apiUrl), remote] })
  expect(await pinnedNodes(database, cid)).toContain('hosted')
  expect(cidOf((await blockOn(kubo(2), cid)) ?? new Uint8Array())).toBe(cid)
  expect(await remote.look(cid)).toBe('held')
  await remote.pin(cid, new Uint8Array()) // again: it finds its request and asks for no second one
  const listed = await fetch(`${service.url}/pins?cid=${cid}`, { headers: { authorization: `Bearer ${token}` } })
  expect(await listed.json()).toMatchObject({ count: 1 })
})

test('a hosted service whose pinning failed is asked again; one that does not know us is a refusal', async () => {
  const { slug } = await seed()
  service.setBroken(true)
  await expect(pin(slug, { nodes: [nodeAt(kubo(0).apiUrl), hosted()] })).rejects.toMatchObject({
    code: 'pin_unavailable',
  })
  service.setBroken(false)
  const { cid } = await pin(slug, { nodes: [nodeAt(kubo(0).apiUrl), hosted()] })
  expect(await hosted().look(cid)).toBe('held')
  const stranger = hosted({ token: 'wrong' })
  await expect(stranger.pin(cid, new Uint8Array())).rejects.toMatchObject({ code: 'pin_rejected' })
})
