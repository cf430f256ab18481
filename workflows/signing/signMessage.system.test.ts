import { randomBytes } from 'node:crypto'
import { hashMessage, hashTypedData, recoverAddress } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ServiceError, toHex, type Hex } from '@perigee/core'
import { messageCommitment, parseMessage, type Message } from '@perigee/core/message'
import { hexOfText } from '../../core/message/testing/texts.js'
import { forViem, permit } from '../../core/message/testing/typedData.js'
import { createCodecApp } from '../../temporal/codecServer/createCodecApp.js'
import { EncryptionCodec } from '../../temporal/index.js'
import { keepHistory } from '../../temporal/testing/keepHistory.js'
import { requestHashOf } from '../../tests/rigs/workers/createSigningCalls.js'
import { eventsOfRun, localActivities, readableIn } from '../../tests/rigs/workers/readHistory.js'
import { startService, type TestService } from '../../tests/rigs/workers/startService.js'

let service: TestService
let walletId: string
let address: Hex

beforeAll(async () => {
  service = await startService()
  await service.startWorkers()
  ;({ walletId, address } = await service.provision(await service.newUser()))
})
afterAll(() => service.close())

const secretText = 'a sign-in that nobody else may read'
const personal: Message = { scheme: 'eip191', message: hexOfText(secretText) }
const typed: Message = { scheme: 'eip712', typedData: permit }
const request = (message: Message = personal) => ({ walletId, message, salt: toHex(randomBytes(32)) })
const runOf = (call: ReturnType<typeof request>) => `message/${walletId}/${requestHashOf(call)}`
const rowsOf = (call: ReturnType<typeof request>) =>
  service.database.query<{ slug: string; scheme: string; sealed_signature: string | null }[]>(
    'SELECT slug, scheme, sealed_signature FROM messages WHERE wallet_id = $1 AND request_hash = $2',
    [walletId, requestHashOf(call)],
  )

test.each([
  ['message', personal, hashMessage(secretText)],
  ['typed-data', typed, hashTypedData(forViem(permit))],
])('a %s is signed in the four steps of a transaction, and its publication is a child', async (name, message, hash) => {
  const call = request(message)
  const { signature, slug } = await service.signMessage(call)
  expect((await recoverAddress({ hash, signature })).toLowerCase()).toBe(address)
  const workflowId = runOf(call)
  await service.client.workflow.getHandle(workflowId).result()
  const events = await eventsOfRun(service.client, workflowId)
  expect(localActivities(events)).toEqual(['fetchEntropy', 'signInEnclave', 'verifyQuote', 'recordSignature'])
  const [started] = await eventsOfRun(service.client, `receipt/${slug}`)
  expect(started?.workflowExecutionStartedEventAttributes?.parentWorkflowExecution).toMatchObject({ workflowId })
  const { scheme } = message
  const commitment = messageCommitment({ scheme, digest: parseMessage(message).digest, salt: call.salt }, signature)
  const [publication] = await service.database.query(
    'SELECT kind, tx_hash, chain_id::int, wallet_id FROM publications WHERE slug = $1',
    [slug],
  )
  expect(publication).toEqual({ kind: 'message', tx_hash: commitment, chain_id: 0, wallet_id: walletId })
  expect(await rowsOf(call)).toMatchObject([{ slug, scheme }])
  await keepHistory(service.client, workflowId, `sign-${name}`)
})

test('many callers at once, and one a while later, get one signature and one proof; another salt gets another proof', async () => {
  const call = request()
  const answers = await Promise.all(Array.from({ length: 8 }, () => service.signMessage(call)))
  expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1)
  await service.client.workflow.getHandle(runOf(call)).result()
  expect(await service.signMessage(call)).toEqual(answers[0])
  await service.client.workflow.getHandle(runOf(call)).result()
  await keepHistory(service.client, runOf(call), 'sign-message-again')
  expect(await rowsOf(call)).toHaveLength(1)
  const other = await service.signMessage(request())
  expect(other.signature).toBe(answers[0]?.signature)
  expect(other.slug).not.toBe(answers[0]?.slug)
})

test('a row that was recovered from its receipt has no signature: it is signed again, under the same name', async () => {
  const call = request()
  const first = await service.signMessage(call)
  await service.client.workflow.getHandle(runOf(call)).result()
  await service.database.query('UPDATE messages SET sealed_signature = NULL WHERE slug = $1', [first.slug])
  expect(await service.signMessage(call)).toEqual(first)
})

test('a failed attempt does not stick, and a request that names another message is refused', async () => {
  const call = request()
  const { enclave } = service.deps
  const signMessage = () => Promise.reject(new ServiceError('enclave_refused', 'the enclave refuses'))
  Object.assign(service.deps, { enclave: { ...enclave, signMessage } })
  await expect(service.signMessage(call)).rejects.toMatchObject({ code: 'enclave_refused' })
  await keepHistory(service.client, runOf(call), 'sign-message-refused')
  Object.assign(service.deps, { enclave })
  expect((await service.signMessage(call)).signature).toMatch(/^0x/)
  const { temporal } = service
  const forged = request()
  const input = await service.messageInput(forged)
  const refused = temporal.signMessage({ ...input, message: { scheme: 'eip191', message: hexOfText('other') } })
  await expect(refused).rejects.toMatchObject({ code: 'digest_mismatch' })
  expect(await rowsOf(forged)).toEqual([])
})

test('neither Postgres nor undecoded history, nor what the codec server decodes, has content, signature or salt', async () => {
  const call = request()
  const { signature, slug } = await service.signMessage(call)
  await service.client.workflow.getHandle(runOf(call)).result()
  const codec = new EncryptionCodec(service.config.temporal.codecKeys, 'show')
  const app = createCodecApp({ codec, uiOrigins: [], signIn: null })
  const stored = await everyRow()
  const history = await readableIn(service.client, [runOf(call), `receipt/${slug}`], app)
  expect(stored).toContain(requestHashOf(call).slice(2)) // it looks where the record is
  expect(history.raw).toContain('binary/encrypted')
  expect(history.decoded).toContain(slug) // of the publication, which is public
  const { digest } = parseMessage(personal)
  for (const secret of [secretText, hexOfText(secretText), call.salt, signature, digest]) {
    const part = secret.startsWith('0x') ? secret.slice(2, 42) : secret
    for (const place of [stored, history.raw, history.decoded]) expect(place).not.toContain(part)
  }
})

/** All rows of all tables, as text and with bytes in hex. */
async function everyRow(): Promise<string> {
  const tables = await service.database.query<{ name: string }[]>(
    `SELECT format('%I', table_name) AS name FROM information_schema.tables WHERE table_schema = 'public'`,
  )
  const rows = await Promise.all(
    tables.map(({ name }) => service.database.query<object[]>(`SELECT to_jsonb(t)::text AS row FROM ${name} t`)),
  )
  return JSON.stringify(rows)
}
