import { getAddress, recoverMessageAddress, recoverTypedDataAddress, stringToHex } from 'viem'
import { createSiweMessage } from 'viem/siwe'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ServiceClient, type Hex } from '@perigee/sdk'
import { createEip1193Provider } from '@perigee/sdk/eip1193'
import type { Browser } from '../../api/testing/Browser.js'
import { startTestApi, webOrigin, type TestApi } from '../rigs/api/startTestApi.js'

// The SDK and the real API must agree on every byte of a request and of its answer.
let api: TestApi
let browser: Browser
let client: ServiceClient
let address: Hex
beforeAll(async () => {
  api = await startTestApi()
  browser = await api.signIn('sdk-messages@example.test')
  const ask = (input: unknown, init?: RequestInit) =>
    browser.fetch(String(input), { ...init, headers: { ...(init?.headers as object), origin: webOrigin } })
  client = new ServiceClient({ apiBaseUrl: api.url, chainId: 31337, rpcUrl: 'http://localhost:1', fetch: ask })
  address = getAddress((await client.api.provisionWallet()).address)
})
afterAll(() => api.close())

const typedData = {
  domain: { name: 'App', chainId: 31337, verifyingContract: `0x${'aa'.repeat(20)}` },
  types: { Order: [{ name: 'amounts', type: 'uint256[]' }] },
  primaryType: 'Order',
  message: { amounts: [1n, 2n ** 200n] },
} as const

test('the API signs what the SDK sends, and its opening is the one that the SDK makes', async () => {
  const { signature, opening } = await client.signMessage('hello')
  expect(await recoverMessageAddress({ message: 'hello', signature })).toBe(address)
  const typed = await client.signTypedData(typedData)
  expect(await recoverTypedDataAddress({ ...typedData, signature: typed.signature })).toBe(address)
  for (const made of [opening, typed.opening]) {
    expect(await client.api.signMessage({ ...made.message, salt: made.salt })).toMatchObject({ opening: made })
  }
})

test('the same salt gives the same answer', async () => {
  const first = await client.signMessage('again')
  expect(await client.signMessage('again', { salt: first.opening.salt })).toEqual(first)
})

test('accounts of the EIP-1193 provider have the spelling that the API asks of sign-in messages', async () => {
  const provider = createEip1193Provider({ client })
  const [account] = (await provider.request({ method: 'eth_requestAccounts' })) as [Hex]
  expect(account).toBe(address)
  const text = (domain: string) =>
    `${domain} wants you to sign in with your Ethereum account:\n${account}\n\n\nURI: https://${domain}\nVersion: 1\nChain ID: 1\nNonce: 32891757\nIssued At: 2021-09-30T16:25:24.000Z`
  const sign = (domain: string) =>
    provider.request({ method: 'personal_sign', params: [stringToHex(text(domain)), account] })
  expect(await sign(new URL(webOrigin).host)).toHaveLength(132)
  await expect(sign('evil.example')).rejects.toMatchObject({
    code: 4100,
    cause: { code: 'sign_in_domain', status: 403 },
  })
})

test('viem’s sign-in messages are signed', async () => {
  const { host, origin } = new URL(webOrigin)
  const fields = { chainId: 1, domain: host, nonce: 'abcdefgh', uri: origin, version: '1' } as const
  expect((await client.signMessage(createSiweMessage({ address, ...fields }))).slug).toMatch(/^[\w-]{16,}$/)
})
