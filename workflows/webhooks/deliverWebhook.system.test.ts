import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { transactionDigest, type Hex } from '@perigee/core'
import { createSoftPasskey } from '../../core/authorisation/testing/createSoftPasskey.js'
import { approveOwners, ownersOf } from '../../core/authorisation/testing/softOwners.js'
import { findBirth, findDelivery, getProof, verifyAuditLog } from '../../database/index.js'
import { newTransaction } from '../../enclave/testing/createTestWorld.js'
import { run } from '../../ops/run.js'
import { keepHistory } from '../../temporal/testing/keepHistory.js'
import { bundleWith } from '../../tests/rigs/workers/bundleWith.js'
import {
  startReceiver,
  writeWebhooksFile,
  type Received,
  type Receiver,
} from '../../tests/rigs/servers/startReceiver.js'
import { startService, type TestService } from '../../tests/rigs/workers/startService.js'

let service: TestService
let receiver: Receiver
let stranger: Receiver
let file: Awaited<ReturnType<typeof writeWebhooksFile>>

/** Seconds where production has days. */
const budgets = {
  "scheduleToCloseTimeout: '3 days'": "scheduleToCloseTimeout: '8s'",
  "initialInterval: '5 seconds'": "initialInterval: '200ms'",
  'backoffCoefficient: 3': 'backoffCoefficient: 1',
}

beforeAll(async () => {
  receiver = await startReceiver()
  stranger = await startReceiver()
  const events = ['proof.complete', 'proof.failed', 'wallet.created', 'owners.changed']
  file = await writeWebhooksFile([
    { name: 'shop', url: receiver.url, secrets: [receiver.secret], events, walletsOf: ['test'] },
    { name: 'stranger', url: stranger.url, secrets: [stranger.secret], events, walletsOf: ['https://other.example'] },
  ])
  service = await startService({ env: { WEBHOOKS_FILE: file.path }, workflowBundle: await bundleWith(budgets) })
  await service.startWorkers(['sign', 'publish', 'chain', 'webhooks'])
})
afterAll(async () => {
  await service?.close()
  await receiver.close()
  await stranger.close()
  await file.remove()
})
beforeEach(() => {
  receiver.received.length = 0
  receiver.answers(204)
})

const waitMs = 60_000
const until = (count: number) =>
  expect.poll(() => receiver.received.length, { timeout: waitMs }).toBeGreaterThanOrEqual(count)
const runOf = ({ id }: Pick<Received, 'id'>) => `webhook/${id}/shop`
const deliveryOf = ({ id }: Pick<Received, 'id'>) =>
  findDelivery(service.database, { eventId: id, application: 'shop' })
const becomes = (letter: Received, state: string) =>
  expect.poll(async () => (await deliveryOf(letter))?.state, { timeout: waitMs }).toBe(state)

async function ops(...args: string[]): Promise<{ code: number; json: Record<string, unknown> }> {
  const lines: string[] = []
  const console = { print: (line: string) => lines.push(line), complain: (line: string) => lines.push(line) }
  const code = await run([...args, '--json'], service.env, console)
  return { code, json: JSON.parse(lines.join('\n')) as Record<string, unknown> }
}

/** Tells of a new wallet: the first event of everything below. */
async function newWallet(): Promise<{ userId: string; walletId: string; address: Hex; letter: Received }> {
  const userId = await service.newUser()
  const { walletId, address } = await service.provision(userId)
  const find = () => receiver.received.find(({ body }) => body.includes('wallet.created') && body.includes(address))
  await expect.poll(find, { timeout: waitMs }).toBeDefined()
  return { userId, walletId, address, letter: find() as Received }
}

test('an application hears of a wallet, its proofs and its owners, once each, signed, and of no person', async () => {
  const { userId, walletId, address, letter } = await newWallet()
  const birth = await findBirth(service.database, walletId)
  expect(await service.publicationOf(birth?.slug ?? '')).toBe('complete')
  const transaction = newTransaction()
  const { slug } = await service.sign({ walletId, transaction, digest: transactionDigest(transaction) })
  expect(await service.publicationOf(slug)).toBe('complete')
  const passkeys = [createSoftPasskey()]
  const owners = ownersOf(passkeys)
  const approval = approveOwners(owners, { passkeys }, { address })
  await service.changeOwners(walletId, { owners, approval, credentials: [] })
  await until(4)
  const told = receiver.received.map(({ body }) => JSON.parse(body) as { type: string; data: Record<string, unknown> })
  expect(told.map(({ type }) => type).sort()).toEqual([
    'owners.changed',
    'proof.complete',
    'proof.complete',
    'wallet.created',
  ])
  const proof = await getProof(service.database, slug)
  expect(told.find(({ data }) => data['slug'] === slug)?.data).toEqual({
    slug,
    kind: 'transaction',
    wallet: address,
    chainId: 31337,
    txHash: proof?.txHash,
    ipfsCid: proof?.ipfsCid,
    onchainTxHash: proof?.onchainTxHash,
    onchainBlockNumber: proof?.onchainBlockNumber,
  })
  expect(told.find(({ type }) => type === 'owners.changed')?.data).toEqual({ address, sequence: 0 })
  expect(receiver.received.every(({ verified }) => verified)).toBe(true)
  expect(new Set(receiver.received.map(({ id }) => id)).size).toBe(4)
  expect(JSON.stringify(told)).not.toContain(userId)
  expect(JSON.stringify(told)).not.toContain(walletId)
  await becomes(letter, 'delivered')
  await service.client.workflow.getHandle(runOf(letter)).result()
  await keepHistory(service.client, runOf(letter), 'webhook')
  expect(stranger.received).toEqual([])
})

test('an application that fails gets the event again, with the same id and body', async () => {
  receiver.answers((request, response) => {
    const attempts = receiver.received.filter(({ id }) => id === request.headers['webhook-id'])
    response.writeHead(attempts.length < 3 ? 500 : 200).end()
  })
  const { letter } = await newWallet()
  await becomes(letter, 'delivered')
  await service.client.workflow.getHandle(runOf(letter)).result()
  await keepHistory(service.client, runOf(letter), 'webhook-retried')
  const attempts = receiver.received.filter(({ id }) => id === letter.id)
  expect(attempts).toHaveLength(3)
  expect(new Set(attempts.map(({ body }) => body)).size).toBe(1)
  expect(attempts.every(({ verified }) => verified)).toBe(true)
})

test('what cannot be delivered in time joins the dead letters, and an operator replays it', async () => {
  receiver.answers(500)
  const { letter } = await newWallet()
  await becomes(letter, 'dead')
  const handle = service.client.workflow.getHandle(runOf(letter))
  await expect(handle.result()).rejects.toMatchObject({ cause: { type: 'webhook_undelivered' } })
  await keepHistory(service.client, runOf(letter), 'webhook-dead')
  const listed = await ops('webhooks', 'list')
  expect(listed.code).toBe(1)
  expect(listed.json['dead']).toContainEqual(
    expect.objectContaining({ eventId: letter.id, application: 'shop', errorCode: 'webhook_undelivered' }),
  )
  receiver.answers(204)
  receiver.received.length = 0
  const replayed = await ops('webhooks', 'replay', letter.id, '--operator', 'ops-1', '--reason', 'the shop is back')
  expect(replayed).toEqual({ code: 0, json: { replayed: 1 } })
  await becomes(letter, 'delivered')
  expect(receiver.received.find(({ id }) => id === letter.id)).toMatchObject({ verified: true, body: letter.body })
  await verifyAuditLog(service.database)
  const [audited] = await service.database.query(
    `SELECT facts FROM audit_events WHERE kind = 'operator_webhooks_replayed'`,
  )
  expect(audited).toMatchObject({ facts: { eventId: letter.id, operator: 'ops-1' } })
})

test('an application that is gone is given up at once, and all of its letters are replayed together', async () => {
  receiver.answers(410)
  const { letter } = await newWallet()
  await becomes(letter, 'dead')
  expect(await deliveryOf(letter)).toMatchObject({ errorCode: 'webhook_refused' })
  await keepHistory(service.client, runOf(letter), 'webhook-gone')
  expect(receiver.received.filter(({ id }) => id === letter.id)).toHaveLength(1)
  const why = ['--operator', 'ops-1', '--reason', 'it moved']
  expect((await ops('webhooks', 'replay', '--all', '--application', 'stranger', ...why)).json).toEqual({ replayed: 0 })
  receiver.answers(204)
  expect((await ops('webhooks', 'replay', '--all', '--application', 'shop', ...why)).code).toBe(0)
  await becomes(letter, 'delivered')
})

test('a delivery whose run was ended is found again', async () => {
  receiver.answers(503)
  const { letter } = await newWallet()
  const handle = service.client.workflow.getHandle(runOf(letter))
  await handle.cancel()
  await expect(handle.result()).rejects.toMatchObject({ cause: { name: 'CancelledFailure' } })
  await keepHistory(service.client, runOf(letter), 'webhook-cancelled')
  expect(await deliveryOf(letter)).toMatchObject({ state: 'pending' })
  receiver.answers(204)
  await service.database.query(
    `UPDATE webhook_deliveries SET checked_at = checked_at - interval '6 min' WHERE event_id = $1`,
    [letter.id],
  )
  await becomes(letter, 'delivered')
})
