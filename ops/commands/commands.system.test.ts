import { privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createKuboNode } from '../../clients/ipfs/createKuboNode.js'
import { addCpu, getProof, markRetried, verifyAuditLog } from '../../database/index.js'
import { components, fund } from '../../tests/harness/index.js'
import { createFaultyProxy, type FaultyProxy } from '../../tests/rigs/servers/createFaultyProxy.js'
import { runActivity } from '../../tests/rigs/workers/runActivity.js'
import { opsVariables } from '../../tests/rigs/publishing/opsVariables.js'
import { startPublishingRig, type PublishingRig } from '../../tests/rigs/publishing/startPublishing.js'
import { run } from '../run.js'

let rig: PublishingRig
let ipfs: FaultyProxy
let env: Record<string, string>

beforeAll(async () => {
  ipfs = await createFaultyProxy(components().ipfsApiUrl)
  rig = await startPublishingRig({ nodes: [createKuboNode(ipfs.url)] })
  await rig.startWorkers()
  const [key] = rig.chainConfig.publisherKeys
  env = {
    IPFS_API_URLS: ipfs.url,
    ...opsVariables(rig),
    PUBLISHER_ADDRESSES: key ? privateKeyToAccount(key).address : '',
  }
})
afterAll(async () => {
  await rig.close()
  await ipfs.close()
})

async function ops(...args: string[]): Promise<{ code: number; text: string }> {
  const lines: string[] = []
  const console = { print: (line: string) => lines.push(line), complain: (line: string) => lines.push(line) }
  return { code: await run(args, env, console), text: lines.join('\n') }
}
const asked = async (...args: string[]): Promise<{ code: number; json: Record<string, unknown> }> => {
  const { code, text } = await ops(...args, '--json')
  if (text.startsWith('service_unavailable')) return asked(...args) // a busy machine: an operator asks again too
  return { code, json: JSON.parse(text) as Record<string, unknown> }
}
const why = ['--operator', 'ops-1', '--reason', 'ipfs is back']

const isRead = (request: string) => request.includes('/block/get')

/** Proofs whose pinning fails for good: the node gives other bytes back. */
async function failed(count: number): Promise<string[]> {
  ipfs.set('garble', isRead)
  const slugs: string[] = []
  for (let i = 0; i < count; i++) {
    const input = await rig.seed()
    await rig.publish(input)
    await rig.reaches(input.slug, 'pin_failed')
    slugs.push(input.slug)
  }
  ipfs.set('none')
  return slugs
}
const becomes = (slug: string, status: string) =>
  expect.poll(async () => (await getProof(rig.database, slug))?.status).toBe(status)

test('stuck, retry, abandon, and a retry after giving up; each action is in the audit log', async () => {
  expect(await ops('stuck')).toEqual({ code: 0, text: 'nothing is stuck' })
  const [one, two, three, four] = (await failed(4)) as [string, string, string, string]
  const { code, json } = await asked('stuck')
  expect(code).toBe(1)
  expect((json['stuck'] as { slug: string; errorCode: string }[]).map(({ slug }) => slug).sort()).toEqual(
    [one, two, three, four].sort(),
  )
  expect((await ops('stuck')).text).toContain('all 4 with cid_mismatch: npm run ops -- retry --all --code cid_mismatch')

  expect(await asked('retry', one, ...why)).toMatchObject({ code: 0, json: { retried: [one], refused: [] } })
  await becomes(one, 'complete')
  expect((await ops('abandon', two, ...why)).code).toBe(0)
  await expect(rig.client.workflow.getHandle(`receipt/${two}`).result()).rejects.toThrow()
  expect((await asked('retry', '--all', '--code', 'chain_unavailable', ...why)).json).toEqual({
    retried: [],
    refused: [],
  })
  const all = await asked('retry', '--all', ...why)
  expect((all.json['retried'] as string[]).sort()).toEqual([three, four].sort())
  await becomes(three, 'complete')
  await becomes(four, 'complete')
  expect((await ops('stuck')).code).toBe(0)
  expect(await asked('stuck', '--abandoned')).toMatchObject({
    code: 1,
    json: { stuck: expect.arrayContaining([expect.objectContaining({ slug: two, abandoned: true })]) },
  })
  expect((await ops('retry', two, ...why)).code).toBe(0) // its workflow has ended: a new one goes on
  const { staticSummary } = await rig.client.workflow.getHandle(`receipt/${two}`).describe()
  expect(await staticSummary()).toContain('restarted by ops retry')
  await becomes(two, 'complete')

  const events = await rig.database.query<
    { kind: string; facts: { slug: string; operator: string; reason: string } }[]
  >(`SELECT kind, facts FROM audit_events WHERE kind LIKE 'operator%' ORDER BY sequence`)
  expect(events.map(({ kind }) => kind)).toEqual([
    ...['operator_publish_retried', 'operator_publish_abandoned'],
    ...Array.from({ length: 3 }, () => 'operator_publish_retried'),
  ])
  expect(events[1]?.facts).toMatchObject({ slug: two, operator: 'ops-1', reason: 'ipfs is back' })
  expect((await verifyAuditLog(rig.database)).faults).toEqual([])
})

test('a run that waits at a step that the record shows as done is retried, or abandoned and revived', async () => {
  const [one, two] = (await failed(2)) as [string, string]
  for (const slug of [one, two]) {
    await markRetried(rig.database, slug)
    await runActivity(rig.activities.publish.pinReceipt, { slug })
  }
  expect(await getProof(rig.database, one)).toMatchObject({ status: 'pending_onchain' })
  expect(await asked('retry', one, ...why)).toMatchObject({ code: 0, json: { retried: [one] } })
  await becomes(one, 'complete')
  expect((await ops('abandon', two, ...why)).code).toBe(0)
  await becomes(two, 'onchain_failed')
  await expect(rig.client.workflow.getHandle(`receipt/${two}`).result()).rejects.toThrow()
  expect((await ops('retry', two, ...why)).code).toBe(0)
  await becomes(two, 'complete')
})

/** Whether each of the proof's abandonments says that it was added to the log later. */
const abandonments = async (slug: string): Promise<boolean[]> => {
  const events = `SELECT coalesce(facts ->> 'alreadyAbandoned', 'false')::boolean AS late FROM audit_events
    WHERE kind = 'operator_publish_abandoned' AND facts ->> 'slug' = $1 ORDER BY sequence`
  return (await rig.database.query<{ late: boolean }[]>(events, [slug])).map(({ late }) => late)
}

test('a failed proof whose run is gone is abandoned in the record, and the audit log has it once', async () => {
  const [slug] = (await failed(1)) as [string]
  await rig.client.workflow.getHandle(`receipt/${slug}`).terminate('moved to another Temporal')
  expect(await asked('abandon', slug, ...why)).toMatchObject({ code: 0, json: { abandoned: slug } })
  expect(await getProof(rig.database, slug)).toMatchObject({ status: 'pin_failed' })
  expect(await asked('stuck', '--abandoned')).toMatchObject({
    json: { stuck: expect.arrayContaining([expect.objectContaining({ slug, abandoned: true })]) },
  })
  expect((await ops('abandon', slug, ...why)).code).toBe(3)
  expect(await abandonments(slug)).toEqual([false])

  // Retried and abandoned again by a command that ended before it wrote to the log: its repeat does.
  ipfs.set('garble', isRead)
  expect((await ops('retry', slug, ...why)).code).toBe(0)
  await becomes(slug, 'pin_failed')
  ipfs.set('none')
  await rig.temporal.abandonPublish(slug, { operator: 'ops-1', reason: 'again' })
  await expect(rig.client.workflow.getHandle(`receipt/${slug}`).result()).rejects.toThrow()
  expect(await abandonments(slug)).toEqual([false])
  expect((await ops('abandon', slug, ...why)).code).toBe(0)
  expect((await ops('abandon', slug, ...why)).code).toBe(3)
  expect(await abandonments(slug)).toEqual([false, true])
  expect((await ops('retry', slug, ...why)).code).toBe(0)
  await becomes(slug, 'complete')
})

test('of operators who abandon a proof at once one does, and only that one is in the audit log', async () => {
  const [slug] = (await failed(1)) as [string]
  const outcomes = await Promise.all(Array.from({ length: 3 }, () => ops('abandon', slug, ...why)))
  expect(outcomes.map(({ code }) => code).sort()).toEqual([0, 3, 3])
  expect(await abandonments(slug)).toEqual([false])
})

test('what has not failed, what nobody knows, and what nobody answers for is refused and leaves no trace', async () => {
  const countActions = () => rig.database.query(`SELECT count(*) FROM audit_events WHERE kind LIKE 'operator%'`)
  const before: unknown = await countActions()
  const input = await rig.seed()
  await (await rig.publish(input)).result()
  expect(await asked('retry', input.slug, ...why)).toMatchObject({
    code: 3,
    json: { refused: [{ code: 'invalid_request' }] },
  })
  expect((await ops('abandon', 'no-such-proof', ...why)).code).toBe(3)
  expect((await ops('retry', input.slug, '--operator', 'ops-1')).code).toBe(2) // no reason
  expect((await ops('retry', input.slug, '--reason', 'because')).code).toBe(2) // nobody
  expect(await countActions()).toEqual(before)
})

test('an overdue proof without any failure is stuck, too', async () => {
  const { slug } = await rig.seed()
  await rig.database.query(`UPDATE publications SET created_at = now() - interval '2 hours' WHERE slug = $1`, [slug])
  expect((await asked('stuck')).json).toMatchObject({ stuck: [{ slug, status: 'pending_pin', errorCode: null }] })
  expect((await ops('stuck', '--overdue', '180')).code).toBe(0)
})

test('repin puts back at once what a node lost, on record, and refuses a node that is not configured', async () => {
  const input = await rig.seed()
  await (await rig.publish(input)).result()
  const cid = (await getProof(rig.database, input.slug))?.ipfsCid ?? ''
  const lose = (what: string) => fetch(`${components().ipfsApiUrl}/api/v0/${what}/rm?arg=${cid}`, { method: 'POST' })
  for (const what of ['pin', 'block']) expect((await lose(what)).ok).toBe(true)
  const { host } = new URL(ipfs.url)
  const node = createKuboNode(ipfs.url)
  expect(await node.look(cid)).toBe('missing')
  expect(await asked('repin', host, ...why)).toMatchObject({ code: 0, json: { node: host, missing: [] } })
  expect(await node.look(cid)).toBe('held')
  const last = 'SELECT kind, facts FROM audit_events ORDER BY sequence DESC LIMIT 1'
  expect(await rig.database.query<unknown[]>(last)).toMatchObject([
    { kind: 'operator_node_repinned', facts: { node: host, operator: 'ops-1' } },
  ])
  expect((await ops('repin', 'nowhere:5001', ...why)).code).toBe(3)
})

test('publisher shows nonce, what is in flight, balance and rights, and says when the balance is too low', async () => {
  const [key] = rig.chainConfig.publisherKeys
  const { address } = privateKeyToAccount(key as `0x${string}`)
  const sender = address.toLowerCase()
  const nonce = Number((await rig.database.query('SELECT count(*) FROM publisher_slots'))[0].count)
  expect(await asked('publisher')).toMatchObject({
    code: 0,
    json: { publishers: [{ sender, nonce, inFlight: 0, balanceLow: false, isPublisher: true }] },
  })
  await fund(address, '0.001')
  const low = await ops('publisher')
  expect(low).toMatchObject({ code: 1, text: expect.stringContaining('TOO LOW') as string })
  await fund(address, '100')
})

test('usage divides what the day cost among the users whose proofs were completed', async () => {
  const input = await rig.seed()
  await (await rig.publish(input)).result()
  await addCpu(rig.database, 'api', 3_000)
  await addCpu(rig.database, 'worker', 1_000)
  const [{ userId }] = await rig.database.query<[{ userId: string }]>(
    'SELECT user_id AS "userId" FROM wallets WHERE id = $1',
    [input.walletId],
  )
  const rows = (await asked('usage')).json['usage'] as { userId: string; gasWei: string; cpuMs: number }[]
  const [{ spent }] = await rig.database.query<[{ spent: string }]>(
    'SELECT sum(cost_wei::numeric)::text AS spent FROM publisher_slots',
  )
  const divided = rows.reduce((sum, { gasWei }) => sum + BigInt(gasWei), 0n)
  expect(Math.abs(Number(divided - BigInt(spent)))).toBeLessThanOrEqual(rows.length) // each part is rounded
  expect(Math.abs(rows.reduce((sum, { cpuMs }) => sum + cpuMs, 0) - 4_000)).toBeLessThanOrEqual(rows.length)
  const own = rows.find((row) => row.userId === userId)
  expect(own).toMatchObject({ transactions: 1, messages: 0, births: 0, pins: 1, entropy: 1 })
  expect(BigInt(own?.gasWei ?? 0)).toBeGreaterThan(0n)

  const { text } = await ops('usage', '--days', '1', '--user', userId)
  expect(text).toMatch(
    /^[0-9-]{10} {2}1 transactions, 0 messages, 0 births: gas 0\.[0-9]+ ETH, 1 pins, 1 entropy samples, /,
  )
  expect(text.split('\n')).toHaveLength(2)
  expect((await ops('usage', '--top', '1')).text).toContain(`and ${rows.length - 1} more`)
  expect((await ops('usage', '--days', '0')).code).toBe(2)
  expect((await ops('usage', '--user', 'nobody')).text).toBe('no proof was completed within 7 days')
})
