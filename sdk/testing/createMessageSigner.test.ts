import { stringToHex } from 'viem'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { signInText } from '../../core/message/testing/texts.js'
import { mail, permit } from '../../core/message/testing/typedData.js'
import type { SignMessageRequest } from '../types.js'
import { startInMemoryService, testClient, type InMemoryService } from './index.js'

let service: InMemoryService
beforeEach(async () => {
  service = await startInMemoryService({ origins: ['https://service.example'] })
})
afterEach(() => service.close())

const salt = `0x${'5a'.repeat(32)}`
const text = (content: string) => ({ scheme: 'eip191', message: stringToHex(content) })
const typed = (change: object) => ({ scheme: 'eip712', typedData: { ...permit, ...change } })

/** What a client that checks nothing would meet. */
async function send(body: object, email = 'ada@example.test') {
  const { api } = testClient(service, email)
  await api.provisionWallet()
  return api.signMessage({ salt, ...body } as unknown as SignMessageRequest)
}

test('signs both schemes, and gives the same answer to the same request', async () => {
  for (const body of [text('hello'), typed({})]) {
    const first = await send(body)
    expect(first).toMatchObject({ opening: { version: 'perigee-opening/1', message: body, salt } })
    expect(await send(body)).toEqual(first)
    expect((await send({ ...body, salt: `0x${'01'.repeat(32)}` })).slug).not.toBe(first.slug)
  }
})

test('two people who sign the same have an answer each', async () => {
  const [ada, bob] = [await send(text('hello')), await send(text('hello'), 'bob@example.test')]
  expect(ada.signature).not.toBe(bob.signature)
  expect(ada.slug).not.toBe(bob.slug)
})

test.each<[string, number, object]>([
  ['message_scheme_unsupported', 422, { message: '0x00' }],
  ['message_scheme_unsupported', 422, { scheme: 'hash', message: '0x00' }],
  ['message_is_hash', 422, { scheme: 'eip191', message: `0x${'a9'.repeat(32)}` }],
  ['message_is_transaction', 422, { scheme: 'eip191', message: '0x05c3010203' }],
  ['message_invalid', 422, { scheme: 'eip191', message: 'hello' }],
  ['message_invalid', 422, { ...text('hello'), extra: 1 }],
  ['message_too_large', 413, { scheme: 'eip191', message: `0x${'61'.repeat(65_537)}` }],
  ['chain_not_allowed', 422, { scheme: 'eip712', typedData: mail }],
  ['typed_data_number', 422, typed({ domain: { name: 'x', chainId: 31337 } })],
  ['typed_data_type_unused', 422, typed({ types: { ...permit.types, X: [] } })],
  ['typed_data_member_unknown', 422, typed({ message: { ...permit.message, x: '1' } })],
  ['typed_data_domain', 422, typed({ domain: {} })],
  ['typed_data_primary_type', 422, typed({ primaryType: 'X' })],
  ['sign_in_malformed', 422, text(signInText.replace('Version: 1', 'Version: 2'))],
  ['sign_in_account', 422, text(signInText)],
  ['invalid_request', 400, { ...text('hello'), salt: '0x00' }],
  ['authorisation_invalid', 422, { ...text('hello'), authorisation: { clientDataJSON: '{}' } }],
])('%s is %i, as at the service', async (code, status, body) => {
  await expect(send(body)).rejects.toMatchObject({ code, status })
})
