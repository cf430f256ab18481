import { NativeConnection } from '@temporalio/worker'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { ServiceError, transactionDigest, verifySigner, type Hex, type TxMetadata } from '@perigee/core'
import { createSigningActivities } from '../activities/signing/createSigningActivities.js'
import { findSignature } from '../database/index.js'
import { newTransaction } from '../enclave/testing/createTestWorld.js'
import { connectionOptions, createHandOver, temporalClientOn } from '../temporal/index.js'
import { keepHistory } from '../temporal/testing/keepHistory.js'
import { startService, type TestService } from '../tests/rigs/startService.js'

// The caller and the worker in one process, as in combined/main.ts.
const handOver = createHandOver()
let service: TestService
let walletId: string
let address: string

beforeAll(async () => {
  service = await startService({ handOver })
  await service.startWorkers()
  const wallet = await service.temporal.provisionWallet(await service.newUser())
  ;({ walletId, address } = wallet)
})
afterAll(() => service.close())

const request = (transaction: TxMetadata = newTransaction()) => {
  return { walletId, transaction, digest: transactionDigest(transaction) }
}
const runOf = ({ digest }: { digest: string }) => service.client.workflow.getHandle(`sign/${walletId}/${digest}`)
/** An update in the history means that the answer came back by way of the server. */
const cameFromServer = async (call: { digest: string }): Promise<boolean> => {
  const { events } = await runOf(call).fetchHistory()
  return !!events?.some((event) => event.workflowExecutionUpdateAcceptedEventAttributes)
}

test('the answer is handed over in the process, and the proof is published as ever', async () => {
  const call = request()
  const spies = [vi.spyOn(handOver.early, 'begin'), vi.spyOn(handOver.early, 'finish')]
  const { signature, slug } = await service.temporal.signDigest(call)
  for (const spy of spies) {
    expect(spy.mock.calls).toMatchObject([[{ walletId, digest: call.digest }]])
    spy.mockRestore()
  }
  await verifySigner(call.transaction, signature, address)
  await runOf(call).result()
  expect(await cameFromServer(call)).toBe(false)
  expect(await service.publicationOf(slug)).toBe('complete')
  await keepHistory(service.client, `sign/${walletId}/${call.digest}`, 'sign-here')
})

test('many callers at once, here and elsewhere, and one a while later, get one signature', async () => {
  const call = request()
  const elsewhere = temporalClientOn(service.client.connection, service.config.temporal)
  const callers = Array.from({ length: 12 }, (_, i) => (i % 2 ? service.temporal : elsewhere).signDigest(call))
  const answers = await Promise.all(callers)
  expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1)
  expect(await service.temporal.signDigest(call)).toEqual(answers[0])
  expect(await elsewhere.signDigest(call)).toEqual(answers[0])
})

test('what is refused for good is said at once, and does not stick', async () => {
  const call = request()
  const { enclave } = service.deps
  const signTransaction = () => Promise.reject(new ServiceError('enclave_refused', 'the enclave refuses'))
  Object.assign(service.deps, { enclave: { ...enclave, signTransaction } })
  await expect(service.temporal.signDigest(call)).rejects.toMatchObject({ code: 'enclave_refused' })
  Object.assign(service.deps, { enclave })
  const { slug } = await service.temporal.signDigest(call)
  expect(await service.publicationOf(slug)).toBe('complete')
  await expect(service.temporal.signDigest({ ...call, walletId: crypto.randomUUID() })).rejects.toMatchObject({
    code: 'wallet_not_found',
  })
})

test('a step that fails once is tried again, and the caller waits for it', async () => {
  const call = request()
  const { enclave } = service.deps
  let calls = 0
  const signTransaction: typeof enclave.signTransaction = (wanted) =>
    ++calls === 1 ? Promise.reject(new ServiceError('enclave_unreachable', 'away')) : enclave.signTransaction(wanted)
  Object.assign(service.deps, { enclave: { ...enclave, signTransaction } })
  const { slug } = await service.temporal.signDigest(call)
  Object.assign(service.deps, { enclave })
  expect(calls).toBe(2)
  expect(await service.publicationOf(slug)).toBe('complete')
})

/** Counts what the enclave is asked while `work` runs; `gate` holds its answers back. */
async function enclaveCalls(work: (asked: () => number) => Promise<void>, gate = Promise.resolve()): Promise<void> {
  const { enclave } = service.deps
  let calls = 0
  const signTransaction: typeof enclave.signTransaction = async (wanted) => {
    calls++
    await gate
    return enclave.signTransaction(wanted)
  }
  Object.assign(service.deps, { enclave: { ...enclave, signTransaction } })
  await work(() => calls).finally(() => Object.assign(service.deps, { enclave }))
}
const soon = () => Date.now() + 60_000

test('what is begun before its workflow comes is taken up by it, and not made twice', () =>
  enclaveCalls(async (asked) => {
    const call = request()
    handOver.early.begin({ ...call, expiresAtMs: soon() })
    handOver.early.begin({ ...call, expiresAtMs: soon() })
    await expect.poll(asked, { timeout: 4_000 }).toBe(1)
    const elsewhere = temporalClientOn(service.client.connection, service.config.temporal)
    const { signature, slug } = await elsewhere.signDigest(call)
    await verifySigner(call.transaction, signature, address)
    expect(asked()).toBe(1)
    expect(await service.publicationOf(slug)).toBe('complete')
  }))

const isCommitted = async ({ digest }: { digest: string }) =>
  (await findSignature(service.deps.database, walletId, digest as Hex)) !== null

test('what is begun is committed when its workflow is stored, not before; its activity finds it done', () =>
  enclaveCalls(async (asked) => {
    const signing = createSigningActivities(service.deps)
    const call = request()
    const input = { ...call, expiresAtMs: soon() }
    expect(signing.finish(input)).toBeUndefined() // nothing is begun
    signing.begin(input)
    await expect.poll(asked, { timeout: 4_000 }).toBe(1)
    await new Promise((resolve) => setTimeout(resolve, 300))
    expect(await isCommitted(call)).toBe(false)
    const signed = await signing.finish(input)
    expect(await isCommitted(call)).toBe(true)
    expect(await signing.signTransaction(input)).toEqual(signed)
    expect(asked()).toBe(1)
  }))

test('what is begun is not committed for a request that has expired meanwhile, and the next one signs', () =>
  enclaveCalls(async (asked) => {
    let late = false
    const now = () => new Date(Date.now() + (late ? 120_000 : 0))
    const signing = createSigningActivities({ ...service.deps, now })
    const call = request()
    const input = { ...call, expiresAtMs: soon() }
    signing.begin(input)
    await expect.poll(asked, { timeout: 4_000 }).toBe(1)
    late = true
    await expect(signing.finish(input)).rejects.toMatchObject({ code: 'request_expired' })
    await expect(signing.signTransaction(input)).rejects.toMatchObject({ code: 'request_expired' })
    expect(await isCommitted(call)).toBe(false)
    late = false
    const signed = await signing.signTransaction(input)
    expect(asked()).toBe(2)
    // And what is begun although it was signed before brings that signature.
    signing.begin(input)
    expect(await signing.signTransaction(input)).toEqual(signed)
    expect(asked()).toBe(2)
  }))

test('only so many are begun at once; the others are made when their turn comes', async () => {
  let open = () => undefined as void
  const gate = new Promise<void>((resolve) => (open = resolve))
  await enclaveCalls(async (asked) => {
    const signing = createSigningActivities(service.deps)
    const inputs = Array.from({ length: 20 }, () => ({ ...request(), expiresAtMs: soon() }))
    for (const input of inputs) signing.begin(input)
    await expect.poll(asked, { timeout: 4_000 }).toBe(16)
    await new Promise((resolve) => setTimeout(resolve, 300))
    expect(asked()).toBe(16) // the other four would have come by now
    open()
    const signed = await Promise.all(inputs.map((input) => signing.signTransaction(input)))
    expect(new Set(signed.map(({ slug }) => slug)).size).toBe(20)
    expect(asked()).toBe(20)
  }, gate)
})

test('without a worker on its own connection, a caller is served by another process', async () => {
  const connection = await NativeConnection.connect(connectionOptions(service.config.temporal))
  try {
    const away = createHandOver()
    away.early = { begin: vi.fn(), finish: vi.fn() }
    const alone = temporalClientOn(connection, service.config.temporal, { handOver: away, signsHere: true })
    const call = request()
    const { slug } = await alone.signDigest(call)
    expect(await service.publicationOf(slug)).toBe('complete')
    expect(await cameFromServer(call)).toBe(true)
    expect(away.early.begin).toHaveBeenCalledTimes(1)
    expect(away.early.finish).not.toHaveBeenCalled() // the run is another's
  } finally {
    await connection.close()
  }
})
