import { beforeEach, expect, test } from 'vitest'
import type { DataSource } from 'typeorm'
import { createSoftPasskey } from '../../core/authorisation/testing/createSoftPasskey.js'
import { ownersOf } from '../../core/authorisation/testing/softOwners.js'
import { components, useDatabase } from '../../tests/harness/index.js'
import { seedProof } from '../../tests/rigs/publishing/seedProof.js'
import { WebhookDeliveryEntity, webhookEvents } from '../entities/Webhook.js'
import {
  countUndelivered,
  deleteExpired,
  findUnchecked,
  findWallet,
  isRegistered,
  markComplete,
  markDead,
  markDelivered,
  markFailed,
  markPinned,
  markRetried,
  recordOwners,
  registerApplications,
  renewApplications,
  reopenBlock,
  replayDeliveries,
} from '../index.js'

let database: DataSource
useDatabase((opened) => (database = opened))
beforeEach(() => database.query('TRUNCATE webhook_deliveries, webhook_applications'))

const shop = { name: 'shop', events: [...webhookEvents], walletsOf: null }
const seed = (message = false) =>
  seedProof(database, { chainId: components().chainId, contract: components().contractAddress }, { message })
const written = () => database.getRepository(WebhookDeliveryEntity).find({ order: { occurredAt: 'ASC' } })
const place = (n: number) =>
  ({
    onchainTxHash: `0x${'aa'.repeat(32)}`,
    onchainBlockNumber: n,
    onchainBlockHash: `0x0${n}${'bb'.repeat(31)}`,
  }) as const

/** Pinned and on the chain, in the block with this number. */
async function complete(slug: string, block: number): Promise<void> {
  await markPinned(database, slug, { cid: `cid-${slug}`, receipt: '{}', nodes: [] })
  await markComplete(database, slug, place(block))
}

test('without applications nothing is written', async () => {
  const { slug } = await seed()
  await complete(slug, 9)
  expect(await written()).toEqual([])
})

test('a complete proof is announced once, and again after a reorg put it into another block', async () => {
  await registerApplications(database, [{ ...shop, events: ['proof.complete'] }])
  const { slug, txHash } = await seed()
  await complete(slug, 1)
  await markComplete(database, slug, place(1)) // a repeated step
  const [first, ...more] = await written()
  expect(more).toEqual([])
  expect(first).toMatchObject({
    type: 'proof.complete',
    state: 'pending',
    data: { slug, txHash, onchainBlockNumber: 1 },
  })
  expect(first?.eventId).toMatch(/^evt_[0-9a-f]{64}$/)

  expect(await reopenBlock(database, place(1).onchainBlockHash)).toEqual([slug])
  await markComplete(database, slug, place(1)) // the reorg went back
  expect(await written()).toHaveLength(1)
  const sameNumber = { ...place(1), onchainBlockHash: place(3).onchainBlockHash }
  await reopenBlock(database, place(1).onchainBlockHash)
  await markComplete(database, slug, sameNumber) // another block, of which the event says the same
  expect(await written()).toHaveLength(1)
  await reopenBlock(database, sameNumber.onchainBlockHash)
  await markComplete(database, slug, place(2))
  expect(new Set((await written()).map(({ eventId }) => eventId)).size).toBe(2)
})

test('a failure is announced each time that a proof fails, and not when its record is repeated', async () => {
  await registerApplications(database, [{ ...shop, events: ['proof.failed'] }])
  const { slug } = await seed()
  const told = async () => (await written()).filter(({ data }) => data['slug'] === slug)
  const failure = { slug, status: 'pin_failed' as const, code: 'pin_unavailable', message: 'no node answers' }
  await markFailed(database, failure)
  await markFailed(database, failure)
  expect(await told()).toHaveLength(1)
  await markRetried(database, slug)
  await markFailed(database, failure)
  const again = await told()
  expect(again).toHaveLength(2)
  expect(again[0]?.data).toMatchObject({ slug, status: 'pin_failed', code: 'pin_unavailable' })
  expect(JSON.stringify(again)).not.toContain('no node answers')
})

test('what is rolled back was never reported', async () => {
  await registerApplications(database, [shop])
  const { slug } = await seed()
  const before = await written()
  const aborted = database.transaction(async (manager) => {
    await manager.query(`UPDATE publications SET status = 'pin_failed' WHERE slug = $1`, [slug])
    expect(await manager.count(WebhookDeliveryEntity)).toBe(before.length + 1)
    throw new Error('the transaction ends here')
  })
  await expect(aborted).rejects.toThrow('ends here')
  expect(await written()).toEqual(before)
})

test('of a message nothing is reported but its proof', async () => {
  await registerApplications(database, [{ ...shop, events: ['proof.complete'] }])
  const { slug, digest, txHash } = await seed(true)
  await complete(slug, 3)
  const [{ data } = { data: null }] = await written()
  expect(data).toMatchObject({ slug, kind: 'message', onchainBlockNumber: 3 })
  for (const hidden of [digest, txHash]) expect(JSON.stringify(data)).not.toContain(hidden)
  expect(data).not.toHaveProperty('chainId')
})

test('new owners are announced by their sequence, and a key that is only resealed is not', async () => {
  await registerApplications(database, [{ ...shop, events: ['owners.changed', 'wallet.created'] }])
  const { walletId, wallet: address } = await seed()
  const before = await findWallet(database, walletId)
  const owners = ownersOf([createSoftPasskey()])
  const sealedKey = before?.sealedKey ?? '0x'
  await recordOwners(database, walletId, sealedKey, { sealedKey: '0x01', owners, since: 'upgrade', credentials: [] })
  await database.query(`UPDATE wallets SET sealed_key = '0x02' WHERE id = $1`, [walletId])
  expect((await written()).map(({ type, data }) => ({ type, data }))).toEqual([
    { type: 'wallet.created', data: { address } },
    { type: 'owners.changed', data: { address, sequence: 0 } },
  ])
})

test('an application hears only of the people that it is for', async () => {
  const { issuer } = await issuerOf((await seed()).walletId)
  const events: ['wallet.created'] = ['wallet.created']
  await registerApplications(database, [
    { name: 'theirs', events, walletsOf: [issuer] },
    { name: 'others', events, walletsOf: ['https://elsewhere.example'] },
  ])
  await seed()
  expect((await written()).map(({ application }) => application)).toEqual(['theirs'])
  await registerApplications(database, [])
  await seed()
  expect(await written()).toHaveLength(1)
})

async function issuerOf(walletId: string): Promise<{ issuer: string }> {
  const rows = await database.query<[{ issuer: string }]>(
    'SELECT u.issuer FROM users u JOIN wallets w ON w.user_id = u.id WHERE w.id = $1',
    [walletId],
  )
  return rows[0]
}

test('an application that no worker has had in its file for a week gets no more events, until one has it again', async () => {
  const wallets = { ...shop, events: ['wallet.created' as const] }
  await registerApplications(database, [wallets])
  const lapseIn = (interval: string) =>
    database.query(`UPDATE webhook_applications SET lapses_at = now() + interval '${interval}'`)
  await lapseIn('-1 s')
  await seed()
  expect(await written()).toEqual([])
  await renewApplications(database, ['desk'])
  await seed()
  expect(await written()).toEqual([])
  await renewApplications(database, ['shop'])
  await seed()
  expect(await written()).toHaveLength(1)
  await lapseIn('-1 s')
  await registerApplications(database, [wallets])
  await seed()
  expect(await written()).toHaveLength(2)
})

test('a worker with an older file does not bring back what was removed', async () => {
  await registerApplications(database, [])
  await renewApplications(database, ['shop'])
  expect(await isRegistered(database, 'shop')).toBe(false)
})

test('workers that start together take turns, in whatever order their files name the applications', async () => {
  const files = [
    [shop, { ...shop, name: 'desk' }],
    [{ ...shop, name: 'desk' }, shop],
  ]
  await Promise.all(Array.from({ length: 20 }, (_, n) => registerApplications(database, files[n % 2] ?? [])))
  expect([await isRegistered(database, 'shop'), await isRegistered(database, 'desk')]).toEqual([true, true])
})

test('a delivery ends once; a dead one is replayed, and a delivered one is forgotten after a month', async () => {
  await registerApplications(database, [{ ...shop, events: ['wallet.created'] }])
  await seed()
  const [delivery] = await written()
  if (!delivery) throw new Error('nothing was written')
  await markDead(database, { ...delivery, code: 'webhook_undelivered', message: 'no answer' })
  expect(await countUndelivered(database)).toMatchObject([{ application: 'shop', waiting: 0, dead: 1, oldest: 0 }])
  expect(await findUnchecked(database, 300, 10)).toEqual([])
  expect(await replayDeliveries(database, { eventId: delivery.eventId }, ['dead'])).toBe(1)
  expect(await findUnchecked(database, 300, 10)).toHaveLength(1)
  await markDelivered(database, delivery)
  await markDead(database, { ...delivery, code: 'webhook_undelivered', message: 'late' })
  expect(await written()).toMatchObject([{ state: 'delivered', errorCode: null }])
  await deleteExpired(database)
  expect(await written()).toHaveLength(1)
  await database.query(`UPDATE webhook_deliveries SET ended_at = now() - interval '31 days'`)
  await deleteExpired(database)
  expect(await written()).toEqual([])
})
