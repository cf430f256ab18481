import { parseEther, recoverTransactionAddress } from 'viem'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { ServiceError } from '../../errors/ServiceError.js'
import { startInMemoryService, type InMemoryService } from '../../testing/startInMemoryService.js'
import { fundedClient, testClient } from '../../testing/testClient.js'
import type { SignProgress } from '../../types.js'
import type { ServiceClient } from '../ServiceClient.js'
import { serialize } from './buildTransaction.js'

const to = '0x00000000000000000000000000000000000000aa'
let service: InMemoryService
beforeEach(async () => {
  service = await startInMemoryService({ publishing: 'manual' })
})
afterEach(() => service.close())

/** Aborts as soon as `step` is reached, or a little later; returns the error and what was reported before it. */
async function abortAt(client: ServiceClient, step: SignProgress['step'], afterMs?: number) {
  const controller = new AbortController()
  const seen: SignProgress[] = []
  const onProgress = (progress: SignProgress) => {
    seen.push(progress)
    if (progress.step !== step) return
    if (afterMs === undefined) controller.abort()
    else setTimeout(() => controller.abort(), afterMs)
  }
  const error = await client.signAndSend({ to, value: 1n }, { signal: controller.signal, onProgress }).then(
    () => expect.fail('it was sent'),
    (caught: unknown) => caught as ServiceError,
  )
  expect(error).toBeInstanceOf(ServiceError)
  return { error, seen }
}

const published = /will be published in its receipt, and anyone can send it until nonce 0 is used/
const invalidate = /send another transaction with nonce 0: the next one sent here uses it/

test.each(['preparing', 'signing'] as const)('an abort while %s promises that nothing was signed', async (step) => {
  const { client } = await fundedClient(service)
  const { error } = await abortAt(client, step)
  expect(error).toMatchObject({ code: 'aborted', message: 'Stopped before the transaction was signed.' })
  expect(service.requests).not.toContain('POST /sign/digest')
})

test('an abort before the signature arrived says that the transaction may be signed and sent by anyone', async () => {
  const { client } = await fundedClient(service)
  service.inject({ path: '/sign/digest', delayMs: 5_000 }) // signed at once, answered later
  const { error } = await abortAt(client, 'signing', 100)
  expect(error).toMatchObject({ code: 'aborted', facts: { nonce: 0, digest: expect.stringMatching(/^0x/) } })
  expect(error.message).toMatch(/^The request was stopped\. The service may have signed the transaction/)
  expect(error.message).toMatch(published)
  expect(error.message).toMatch(invalidate)
})

test('an abort after signing says that the signed transaction exists, and it does', async () => {
  const { client, wallet } = await fundedClient(service)
  const { error, seen } = await abortAt(client, 'broadcasting')
  expect(error).toMatchObject({
    code: 'aborted',
    facts: { nonce: 0, attestationSlug: expect.any(String), txHash: expect.any(String) },
  })
  expect(error.message).toMatch(/^Stopped before the transaction was sent\. The signed transaction exists/)
  expect(error.message).toMatch(published)
  expect(error.message).toMatch(invalidate)
  expect(service.requests).not.toContain('RPC eth_sendRawTransaction')

  // What the message warns of: a stranger takes the signature from the receipt and sends the transaction.
  const slug = String(error.facts['attestationSlug'])
  service.pin(slug)
  const proof = await testClient(service, null).api.getProof(slug)
  const signing = seen.find((progress) => progress.step === 'signing')
  if (proof.kind !== 'transaction' || !proof.receipt || !signing) throw new Error('no receipt')
  const stolen = serialize(signing.transaction, proof.receipt.transaction.signature) as `0x02${string}`
  expect(await recoverTransactionAddress({ serializedTransaction: stolen })).toBe(wallet.address)
  await client.publicClient.sendRawTransaction({ serializedTransaction: stolen })
  expect(service.balance(to)).toBe(1n)
})

test('the next signAndSend uses the nonce, after which the first transaction is worthless', async () => {
  const { client, wallet } = await fundedClient(service)
  let first: `0x${string}` | undefined
  const send = client.publicClient.sendRawTransaction
  client.publicClient.sendRawTransaction = ({ serializedTransaction }) => {
    first = serializedTransaction
    return Promise.reject(new Error('connection refused'))
  }
  await expect(client.signAndSend({ to, value: 1n })).rejects.toMatchObject({ code: 'broadcast_failed' })
  client.publicClient.sendRawTransaction = send
  await client.signAndSend({ to: wallet.address })
  await expect(send({ serializedTransaction: first as `0x${string}` })).rejects.toThrow(/nonce/i)
  expect(service.balance(to)).toBe(0n)
})

test.each([
  ['insufficient_funds', { to, value: parseEther('11') }, 'insufficient funds for gas'],
  ['gas_too_low', { to, data: '0x1234' }, 'intrinsic gas too low'],
] as const)(
  'a broadcast that fails with %s says why, and that anyone can still send it',
  async (code, call, reason) => {
    const { client } = await fundedClient(service)
    const error = await client.signAndSend(call).catch((caught: unknown) => caught as ServiceError)
    const facts = { nonce: 0, attestationSlug: expect.any(String), txHash: expect.any(String) }
    expect(error).toMatchObject({ code, facts })
    const { message } = error as ServiceError
    expect(message.startsWith(`The broadcast failed: ${reason}`)).toBe(true)
    expect(message).toMatch(/\. The signed transaction exists and/)
    expect(message).toMatch(published)
    expect(message).toMatch(invalidate)
  },
)

const serverFailed = { problem: { status: 500, code: 'internal_error' } }
const answerLost = { loseAnswer: true, times: 3 }
test.each([
  ['internal_error', serverFailed],
  ['network_error', answerLost],
])('when the request to sign ends with %s, the transaction may be signed', async (code, fault) => {
  const { client } = await fundedClient(service)
  service.inject({ path: '/sign/digest', ...fault })
  const error = await client.signAndSend({ to }).catch((caught: unknown) => caught as ServiceError)
  expect(error).toMatchObject({ code, facts: { nonce: 0 } })
  expect((error as ServiceError).message).toMatch(/The service may have signed the transaction/)
  expect((error as ServiceError).message).toMatch(published)
})

test('a refusal to sign warns of nothing', async () => {
  const { client } = await fundedClient(service)
  service.inject({ path: '/sign/digest', problem: { status: 422, code: 'chain_not_allowed', detail: 'Not served.' } })
  await expect(client.signAndSend({ to })).rejects.toMatchObject({ code: 'chain_not_allowed', message: 'Not served.' })
})
