import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ServiceError, transactionDigest, verifySigner, type TxMetadata } from '@perigee/core'
import { findWallet, findWalletByUser, getProof, verifyAuditLog } from '../../database/index.js'
import { newTransaction } from '../../enclave/testing/createTestWorld.js'
import { keepHistory } from '../../temporal/testing/keepHistory.js'
import { localActivities } from '../../tests/rigs/workers/readHistory.js'
import { startService, type TestService } from '../../tests/rigs/workers/startService.js'

let service: TestService
let walletId: string

beforeAll(async () => {
  service = await startService()
  await service.startWorkers()
  walletId = (await service.provision(await service.newUser())).walletId
})
afterAll(() => service.close())

const request = (transaction: TxMetadata = newTransaction()) => {
  return { walletId, transaction, digest: transactionDigest(transaction) }
}
const countSignatures = async (digest: string): Promise<number> => {
  const [row] = await service.database.query('SELECT count(*)::int AS n FROM transactions WHERE digest = $1', [digest])
  return row.n as number
}

test('from a new user to a complete proof', async () => {
  const userId = await service.newUser()
  const wallet = await service.provision(userId)
  const stored = await findWallet(service.database, wallet.walletId)
  expect(stored).toMatchObject({ id: wallet.walletId, address: wallet.address })
  const [user] = await service.database.query('SELECT kms_key_id FROM users WHERE id = $1', [userId])
  expect(user.kms_key_id).toBe(stored?.keyId)

  const call = { ...request(), walletId: wallet.walletId }
  const { signature, slug } = await service.sign(call)
  await verifySigner(call.transaction, signature, wallet.address)
  expect(Buffer.from(slug, 'base64url').length).toBeGreaterThanOrEqual(16)

  expect(await service.publicationOf(slug)).toBe('complete')
  const proof = await getProof(service.database, slug)
  expect(proof).toMatchObject({ status: 'complete', walletAddress: wallet.address, kmsQuoteVerified: true })
  expect(proof?.receipt).toMatchObject({ simulated: true, transaction: { signature, digest: call.digest } })
  await keepHistory(service.client, `wallet/${userId}`, 'provision')
  await keepHistory(service.client, `sign/${wallet.walletId}/${call.digest}`, 'sign')
  await keepHistory(service.client, `receipt/${slug}`, 'publish-after-signing')
})

test('the history names the four steps in order, and the publication is a child of the run', async () => {
  const call = request()
  const { slug } = await service.sign(call)
  const workflowId = `sign/${walletId}/${call.digest}`
  await service.client.workflow.getHandle(workflowId).result()
  const { events } = await service.client.workflow.getHandle(workflowId).fetchHistory()
  expect(localActivities(events ?? [])).toEqual(['fetchEntropy', 'signInEnclave', 'verifyQuote', 'recordSignature'])
  expect(events?.filter((event) => event.workflowTaskScheduledEventAttributes)).toHaveLength(2) // the child's start is the second
  const child = await service.client.workflow.getHandle(`receipt/${slug}`).fetchHistory()
  expect(child.events?.[0]?.workflowExecutionStartedEventAttributes?.parentWorkflowExecution).toMatchObject({
    workflowId,
  })
  expect(await service.publicationOf(slug)).toBe('complete')
  const activities = (await service.client.workflow.getHandle(`receipt/${slug}`).fetchHistory()).events?.flatMap(
    (event) => event.activityTaskScheduledEventAttributes?.activityType?.name ?? [],
  )
  expect(activities).toEqual(['awaitBroadcast', 'pinReceipt', 'publishOnchain'])
})

test('many callers at once, and one a while later, get one signature and one proof', async () => {
  const call = request()
  const answers = await Promise.all(Array.from({ length: 25 }, () => service.sign(call)))
  expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1)
  await keepHistory(service.client, `sign/${walletId}/${call.digest}`, 'sign-shared-by-many')
  await service.publicationOf(answers[0]?.slug ?? '')
  await service.client.workflow.getHandle(`sign/${walletId}/${call.digest}`).result()
  expect(await service.sign(call)).toEqual(answers[0])
  expect(await countSignatures(call.digest)).toBe(1)
  await service.client.workflow.getHandle(`sign/${walletId}/${call.digest}`).result()
  await keepHistory(service.client, `sign/${walletId}/${call.digest}`, 'sign-again')
})

test('two first sign-ins at once give one wallet and one key', async () => {
  const userId = await service.newUser()
  const wallets = await Promise.all(Array.from({ length: 5 }, () => service.provision(userId)))
  expect(new Set(wallets.map(({ walletId: id }) => id)).size).toBe(1)
  expect(await service.provision(userId)).toEqual(wallets[0])
  await keepHistory(service.client, `wallet/${userId}`, 'provision-again')
})

test('a failed attempt does not stick: the next request is signed', async () => {
  const call = request()
  const { enclave } = service.deps
  const signTransaction = () => Promise.reject(new ServiceError('enclave_refused', 'the enclave refuses'))
  Object.assign(service.deps, { enclave: { ...enclave, signTransaction } })
  await expect(service.sign(call)).rejects.toMatchObject({ code: 'enclave_refused' })
  await keepHistory(service.client, `sign/${walletId}/${call.digest}`, 'sign-refused')
  Object.assign(service.deps, { enclave })
  const { slug } = await service.sign(call)
  expect(await service.publicationOf(slug)).toBe('complete')
})

test('a signature whose event cannot be appended is neither answered nor published, until it can', async () => {
  const call = request()
  const { enclave } = service.deps
  let signed = 0
  const signTransaction: typeof enclave.signTransaction = (input) => {
    signed += 1
    return enclave.signTransaction(input)
  }
  Object.assign(service.deps, { enclave: { ...enclave, signTransaction } })
  await service.database.query(
    `ALTER TABLE audit_events ADD CONSTRAINT no_events CHECK (kind <> 'signature_recorded') NOT VALID`,
  )
  let isAnswered = false
  const answer = service.sign(call).finally(() => (isAnswered = true))
  await expect.poll(() => signed).toBe(1)
  await sleep(1_000) // the enclave has signed; the record is tried again and again
  expect([isAnswered, await countSignatures(call.digest)]).toEqual([false, 0])
  await service.database.query('ALTER TABLE audit_events DROP CONSTRAINT no_events')
  Object.assign(service.deps, { enclave })
  const { slug } = await answer
  expect(await service.publicationOf(slug)).toBe('complete')
  const events = await service.database.query<unknown[]>(
    `SELECT e.subject = w.user_id::text AS "isOwner", e.facts FROM audit_events e
       JOIN wallets w ON w.id::text = e.facts->>'walletId' WHERE kind = 'signature_recorded' AND facts->>'slug' = $1`,
    [slug],
  )
  const { chainId } = call.transaction
  expect(events).toEqual([{ isOwner: true, facts: { walletId, slug, digest: call.digest, chainId } }])
  expect((await verifyAuditLog(service.database)).faults).toEqual([])
})

test('a wallet that could not be made is made at the next sign-in', async () => {
  const userId = await service.newUser()
  const { enclave } = service.deps
  const createKey = () => Promise.reject(new ServiceError('enclave_refused', 'the enclave refuses'))
  Object.assign(service.deps, { enclave: { ...enclave, createKey } })
  await expect(service.provision(userId)).rejects.toMatchObject({ code: 'enclave_refused' })
  expect(await findWalletByUser(service.database, userId)).toBeNull()
  await keepHistory(service.client, `wallet/${userId}`, 'provision-refused')
  Object.assign(service.deps, { enclave })
  expect((await service.provision(userId)).address).toMatch(/^0x[0-9a-f]{40}$/)
})

test('a key that could not be made because the enclave was busy is made by a later attempt', async () => {
  const userId = await service.newUser()
  const { enclave } = service.deps
  let failures = 2
  const createKey: typeof enclave.createKey = (input) => {
    if (failures-- > 0) throw new ServiceError('enclave_busy', 'the enclave is overloaded')
    return enclave.createKey(input)
  }
  Object.assign(service.deps, { enclave: { ...enclave, createKey } })
  const { address } = await service.provision(userId)
  Object.assign(service.deps, { enclave })
  expect(await findWalletByUser(service.database, userId)).toMatchObject({ address })
  await keepHistory(service.client, `wallet/${userId}`, 'provision-retried')
})

test('what can pass is tried again while the caller waits', async () => {
  const call = request()
  const { enclave } = service.deps
  let failures = 2
  const signTransaction: typeof enclave.signTransaction = (input) => {
    if (failures-- > 0) throw new ServiceError('enclave_busy', 'the enclave is overloaded')
    return enclave.signTransaction(input)
  }
  Object.assign(service.deps, { enclave: { ...enclave, signTransaction } })
  const { signature } = await service.sign(call)
  Object.assign(service.deps, { enclave })
  expect(signature).toMatch(/^0x[0-9a-f]{130}$/)
  await keepHistory(service.client, `sign/${walletId}/${call.digest}`, 'sign-retried')
})

test('a wallet that does not exist, and a digest of another transaction, are refused at once', async () => {
  const nobody = { ...request(), walletId: '00000000-0000-4000-8000-000000000000' }
  await expect(service.sign(nobody)).rejects.toMatchObject({ code: 'wallet_not_found' })
  const other = { ...request(), transaction: newTransaction() }
  await expect(service.sign(other)).rejects.toMatchObject({ code: 'digest_mismatch' })
  expect(await countSignatures(other.digest)).toBe(0)
  await keepHistory(service.client, `sign/${walletId}/${other.digest}`, 'sign-digest-mismatch')
})

test('a request that waited past its expiry is not signed, and a new one is', async () => {
  await service.stopWorkers()
  const call = request()
  const late = service.sign({ ...call, expiresAtMs: Date.now() + 1_500 })
  await expect(late).rejects.toMatchObject({ code: 'service_unavailable' })
  await service.startWorkers()
  await expect(service.client.workflow.getHandle(`sign/${walletId}/${call.digest}`).result()).rejects.toMatchObject({
    cause: { type: 'request_expired' },
  })
  expect(await countSignatures(call.digest)).toBe(0)
  await keepHistory(service.client, `sign/${walletId}/${call.digest}`, 'sign-expired')
  await service.sign(call)
  expect(await countSignatures(call.digest)).toBe(1)
})

test('nothing that passes through Temporal can be read there', async () => {
  const call = request()
  const { slug, signature } = await service.sign(call)
  const raw = await service.client.workflowService.getWorkflowExecutionHistory({
    namespace: service.namespace,
    execution: { workflowId: `sign/${walletId}/${call.digest}` },
  })
  // gRPC's JSON has bytes in base64: look inside.
  const bytes = JSON.stringify(raw).replace(/"([A-Za-z0-9+/]{4,}={0,2})"/g, (_all, text: string) =>
    Buffer.from(text, 'base64').toString('latin1'),
  )
  expect(bytes).toContain('binary/encrypted')
  expect(bytes).not.toContain(signature.slice(2, 42))
  expect(bytes).not.toContain('maxFeePerGas')
  await service.publicationOf(slug)
})

test('the query gives up at its deadline when no worker answers', async () => {
  const { slug } = await service.sign(request())
  await expect.poll(async () => (await service.temporal.queryProof(slug))?.slug).toBe(slug)
  await service.stopWorkers()
  const before = Date.now()
  expect(await service.temporal.queryProof(slug, 300)).toBeNull()
  expect(Date.now() - before).toBeLessThan(3_000)
})
