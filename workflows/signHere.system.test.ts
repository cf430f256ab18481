import { NativeConnection } from '@temporalio/worker'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ServiceError, transactionDigest, verifySigner, type TxMetadata } from '@perigee/core'
import { newTransaction } from '../enclave/testing/createTestWorld.js'
import { connectionOptions, createHandOver, temporalClientOn } from '../temporal/index.js'
import { keepHistory } from '../temporal/testing/keepHistory.js'
import { startService, type TestService } from '../workers/testing/startService.js'

// The caller and the worker in one process, as in combined/main.ts.
let service: TestService
let walletId: string
let address: string

beforeAll(async () => {
  service = await startService({ handOver: createHandOver() })
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
  const { signature, slug } = await service.temporal.signDigest(call)
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

test('without a worker on its own connection, a caller is served by another process', async () => {
  const connection = await NativeConnection.connect(connectionOptions(service.config.temporal))
  try {
    const alone = temporalClientOn(connection, service.config.temporal, { handOver: createHandOver(), signsHere: true })
    const call = request()
    const { slug } = await alone.signDigest(call)
    expect(await service.publicationOf(slug)).toBe('complete')
    expect(await cameFromServer(call)).toBe(true)
  } finally {
    await connection.close()
  }
})
