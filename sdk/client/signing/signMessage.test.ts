import { hashMessage as ethersHash, verifyMessage, verifyTypedData } from 'ethers'
import { SiweMessage } from 'siwe'
import { getAddress } from 'viem'
import { createSiweMessage } from 'viem/siwe'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { messageCommitment, parseOpening } from '../../../core/message/index.js'
import { startInMemoryService, type InMemoryService } from '../../testing/index.js'
import { testClient } from '../../testing/testClient.js'
import type { Hex, MessageProof, MessageView, SignMessageProgress, SignMessageResult } from '../../types.js'
import type { ServiceClient } from '../ServiceClient.js'

const page = 'https://service.example'
let service: InMemoryService
let client: ServiceClient
let address: Hex
beforeEach(async () => {
  service = await startInMemoryService({ publishing: 'manual', origins: [page] })
  client = testClient(service)
  ;({ address } = await client.api.provisionWallet())
  service.requests.length = 0
})
afterEach(() => service.close())
const asked = () => service.requests.filter((line) => line === 'POST /sign/message').length
const typedData = {
  domain: { name: 'App', chainId: 31337 },
  types: { Order: [{ name: 'amount', type: 'uint256' }] },
  primaryType: 'Order',
  message: { amount: 7n },
}
const signIn = (change: object = {}) =>
  createSiweMessage({
    address,
    chainId: 31337,
    domain: 'service.example',
    nonce: 'abcdefgh1234',
    uri: page,
    version: '1',
    ...change,
  })

test('ethers accepts what it signs', async () => {
  const { signature } = await client.signMessage('hello')
  expect(verifyMessage('hello', signature)).toBe(address)
  const raw = await client.signMessage({ raw: '0x00ff' })
  expect(verifyMessage(new Uint8Array([0, 255]), raw.signature)).toBe(address)
  const typed = await client.signTypedData(typedData)
  expect(verifyTypedData(typedData.domain, typedData.types, typedData.message, typed.signature)).toBe(address)
})

test('a sign-in message of viem is accepted by the siwe package', async () => {
  const text = signIn({ statement: 'Welcome.', resources: ['https://service.example/terms'] })
  const { signature } = await client.signMessage(text)
  const { success, data } = await new SiweMessage(text).verify({ signature, domain: 'service.example' })
  expect(success).toBe(true)
  expect(data.address).toBe(address)
})

test('the opening opens the receipt, which shows neither message nor signature', async () => {
  const { signature, slug, opening } = await client.signMessage('a secret')
  const { parsed } = parseOpening(JSON.parse(JSON.stringify(opening)))
  expect(parsed.text).toBe('a secret')
  expect(parsed.digest).toBe(ethersHash('a secret'))
  const commitment = messageCommitment({ scheme: 'eip191', digest: parsed.digest, salt: opening.salt }, signature)
  await service.complete(slug)
  const proof = (await client.waitForProof(slug)) as MessageProof
  expect(proof).toMatchObject({ kind: 'message', status: 'complete', txHash: commitment, chainId: 0 })
  expect(proof.receipt?.message).toMatchObject({ scheme: 'eip191', from: address.toLowerCase(), commitment })
  const shown = JSON.stringify(proof)
  for (const hidden of ['secret', signature.slice(2), opening.salt.slice(2), parsed.digest.slice(2)]) {
    expect(shown).not.toContain(hidden)
  }
})

test('a lost answer is asked for again and signs once; another call is another receipt', async () => {
  service.inject({ path: '/sign/message', loseAnswer: true })
  const first = await client.signMessage('hello')
  expect(asked()).toBe(2)
  const again = await client.signMessage('hello', { salt: first.opening.salt })
  expect(again).toEqual(first)
  const other = await client.signMessage('hello')
  expect(other.signature).toBe(first.signature)
  expect(other.slug).not.toBe(first.slug)
  expect(other.opening.salt).not.toBe(first.opening.salt)
})

test('the opening is the service’s own', async () => {
  const salt: Hex = `0x${'5a'.repeat(32)}`
  const { opening } = await client.signTypedData(typedData, { salt })
  const { message } = opening
  expect(await client.api.signMessage({ ...message, salt })).toMatchObject({ opening })
})

test('a signature of another key is not passed on', async () => {
  const stranger = testClient(service, 'bob@example.test')
  const bob = (await stranger.api.provisionWallet()).address
  await expect(stranger.signMessage('hello', { address })).rejects.toMatchObject({ code: 'account_changed' })
  const { getOwners } = stranger.api
  stranger.api.getOwners = async () => ({ ...(await getOwners()), address }) // Bob signs in after the look-up
  await expect(stranger.signMessage('hello', { address })).rejects.toMatchObject({ code: 'bad_response' })
  stranger.api.getOwners = getOwners
  expect((await stranger.signMessage('hello', { address: bob })).signature).toHaveLength(132)
})

test('without a wallet: wallet_not_ready', async () => {
  const nobody = testClient(service, 'carol@example.test')
  await expect(nobody.signMessage('hello')).rejects.toThrow(/^wallet_not_ready$/)
  await expect(testClient(service, null).signMessage('hello')).rejects.toMatchObject({ code: 'not_signed_in' })
})

test('confirm sees it decoded before anything is asked, and only true goes on', async () => {
  const seen: MessageView[] = []
  let answer: () => unknown = () => true
  client.confirm = (view) => {
    seen.push(view)
    expect(asked()).toBe(0)
    return answer() as boolean
  }
  const declined = { code: 'confirmation_declined', remedy: 'Nothing to do: nothing was signed.' }
  for (const no of [
    () => false,
    () => undefined,
    () => 'yes',
    () => Promise.resolve(false),
    () => Promise.reject(new Error('closed')),
  ]) {
    // prettier-ignore
    answer = no
    await expect(client.signTypedData(typedData)).rejects.toMatchObject(declined)
  }
  expect(asked()).toBe(0)
  answer = async () => true
  await client.signMessage('hello')
  expect(seen.at(-1)).toMatchObject({ kind: 'message', text: 'hello' })
  expect(seen[0]).toMatchObject({ kind: 'typed-data', tree: [{ name: 'amount', value: '7' }] })
})

test('options.confirm takes the place of the client’s', async () => {
  client.confirm = () => false
  await client.signMessage('hello', { confirm: () => true })
  expect(asked()).toBe(1)
})

test('an abort stops before the next step', async () => {
  for (const stopAt of ['confirming', 'signing']) {
    const controller = new AbortController()
    const onProgress = ({ step }: SignMessageProgress) => step === stopAt && controller.abort()
    const stopped = client.signMessage('hello', { onProgress, signal: controller.signal, address })
    await expect(stopped).rejects.toMatchObject({ code: 'aborted' })
  }
  expect(asked()).toBe(0)
})

test.each<[string, () => Promise<SignMessageResult>]>([
  ['message_is_hash', () => client.signMessage({ raw: `0x${'9f'.repeat(32)}` })],
  ['message_is_transaction', () => client.signMessage('0x05c3010203')],
  ['message_too_large', () => client.signMessage('a'.repeat(65_537))],
  ['message_invalid', () => client.signMessage({ raw: '0x1' })],
  ['sign_in_malformed', () => client.signMessage(signIn().replace('Version: 1', 'Version: 2'))],
  ['sign_in_account', () => client.signMessage(signIn({ address: getAddress(`0x${'ab'.repeat(20)}`) }))],
  ['typed_data_domain', () => client.signTypedData({ ...typedData, domain: {} })],
  ['typed_data_member_missing', () => client.signTypedData({ ...typedData, message: {} })],
])('%s is refused before anything is asked, with advice', async (code, sign) => {
  client.confirm = () => expect.unreachable()
  await expect(sign()).rejects.toMatchObject({ code, status: null, remedy: expect.stringMatching(/\.$/) })
  expect(asked()).toBe(0)
})

test.each<[string, number, () => Promise<SignMessageResult>]>([
  ['sign_in_domain', 403, () => client.signMessage(signIn({ domain: 'evil.example' }))],
  ['chain_not_allowed', 422, () => client.signTypedData({ ...typedData, domain: { name: 'App', chainId: 5 } })],
])('%s is refused by the service, with status, request and advice', async (code, status, sign) => {
  const remedy = expect.not.stringContaining('report the request id')
  await expect(sign()).rejects.toMatchObject({
    name: 'ServiceError',
    code,
    status,
    remedy,
    requestId: expect.any(String),
  })
})
