import {
  createWalletClient,
  custom,
  getAddress,
  recoverMessageAddress,
  recoverTypedDataAddress,
  stringToHex,
} from 'viem'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { mail } from '../../core/message/testing/typedData.js'
import type { ServiceClient } from '../client/ServiceClient.js'
import { startInMemoryService, type InMemoryService } from '../testing/index.js'
import { fundedClient } from '../testing/testClient.js'
import type { Hex, SignMessageResult } from '../types.js'
import { createEip1193Provider, type Eip1193Provider } from './createEip1193Provider.js'

const stranger = '0x00000000000000000000000000000000000000aa'
let service: InMemoryService
let provider: Eip1193Provider
let client: ServiceClient
let address: Hex
let signed: SignMessageResult[]
beforeEach(async () => {
  service = await startInMemoryService({ origins: ['https://service.example'] })
  const funded = await fundedClient(service)
  ;[client, address, signed] = [funded.client, funded.wallet.address, []]
  provider = createEip1193Provider({ client, onSigned: (result) => signed.push(result) })
})
afterEach(() => service.close())
const ask = (method: string, ...params: unknown[]) => provider.request({ method, params }) as Promise<Hex>

test.each([
  ['message, account', (message: string) => [message, address]],
  ['account, message', (message: string) => [address, message]],
  ['a third parameter', (message: string) => [message, address.toLowerCase(), 'password']],
])('personal_sign takes %s', async (_, params) => {
  for (const message of ['hello', stringToHex('hello')]) {
    const signature = await ask('personal_sign', ...params(message))
    expect(await recoverMessageAddress({ message: 'hello', signature })).toBe(address)
    expect(await ask('personal_ecRecover', message, signature)).toBe(address)
  }
  expect(signed).toHaveLength(2)
})

test('a message that is an address is signed, not taken for the account', async () => {
  const signature = await ask('personal_sign', stranger, address)
  expect(await recoverMessageAddress({ message: { raw: stranger }, signature })).toBe(address)
})

test('eth_signTypedData_v4 takes JSON and objects, as applications write them', async () => {
  const { types, primaryType, message } = mail
  const EIP712Domain = [
    { name: 'name', type: 'string' },
    { name: 'chainId', type: 'uint256' },
  ]
  const Group = [{ name: 'members', type: 'Person[]' }]
  for (const chainId of [service.chainId, '31337', '0x7a69', '0x0000007A69']) {
    const typedData = {
      types: { EIP712Domain, Group, ...types },
      primaryType,
      message,
      domain: { name: 'Mail', chainId },
    }
    const expected = { types, primaryType, message, domain: { name: 'Mail', chainId: 31337n } } as never
    for (const form of [typedData, JSON.stringify(typedData)]) {
      const signature = await ask('eth_signTypedData_v4', address, form)
      expect(await recoverTypedDataAddress({ ...(expected as object), signature } as never)).toBe(address)
    }
  }
})

test('viem signs through it', async () => {
  const viem = createWalletClient({ account: address, transport: custom(provider) })
  const message = { raw: '0x00ff' } as const
  const signature = await viem.signMessage({ message })
  expect(await recoverMessageAddress({ message, signature })).toBe(address)
  const typedData = {
    domain: { name: 'Test', version: '1', chainId: 31337, verifyingContract: stranger },
    types: { Order: [{ name: 'amounts', type: 'uint256[]' }] },
    primaryType: 'Order',
    message: { amounts: [1n, 2n ** 200n] },
  } as const
  const typed = await viem.signTypedData(typedData)
  expect(await recoverTypedDataAddress({ ...typedData, signature: typed })).toBe(address)
})

const signIn = (domain: string, account: string) =>
  `${domain} wants you to sign in with your Ethereum account:\n${account}\n\n\nURI: https://${domain}\nVersion: 1\nChain ID: 31337\nNonce: 32891756\nIssued At: 2026-11-16T16:25:24Z`

test('accounts have the spelling that sign-in messages need', async () => {
  const [account] = (await provider.request({ method: 'eth_requestAccounts' })) as [Hex]
  const signature = await ask('personal_sign', signIn('service.example', account), account)
  expect(signature).toHaveLength(132)
})

test.each([
  ['another account', 4100, () => ['personal_sign', '0x68', stranger]],
  ['a sign-in for another site', 4100, () => ['personal_sign', signIn('evil.example', address), address]],
  [
    'a sign-in for another account',
    4100,
    () => ['personal_sign', signIn('service.example', getAddress(stranger)), address],
  ],
  ['a sloppy sign-in', -32602, () => ['personal_sign', signIn('service.example', address.toLowerCase()), address]],
  ['a hash', -32602, () => ['personal_sign', `0x${'9f'.repeat(32)}`, address]],
  ['no message', -32602, () => ['personal_sign']],
  ['no account', -32602, () => ['personal_sign', 'hello']],
  ['typed data for another chain', 4901, () => ['eth_signTypedData_v4', address, mail]],
  ['typed data that is none', -32602, () => ['eth_signTypedData_v4', address, '{}']],
  ['no JSON', -32602, () => ['eth_signTypedData_v4', address, 'hello']],
  ['no typed data', -32602, () => ['eth_signTypedData_v4', address]],
])('%s is %i', async (_, code, request) => {
  const [method, ...params] = request() as [string]
  await expect(ask(method, ...params)).rejects.toMatchObject({ code })
  expect(signed).toEqual([])
})

test('what the person declines is 4001, on every chain', async () => {
  client.confirm = () => false
  await expect(ask('personal_sign', 'hello', address)).rejects.toMatchObject({ code: 4001 })
  provider = createEip1193Provider({ client, chains: [{ chainId: 1, rpcUrl: service.rpcUrl }] })
  await ask('wallet_switchEthereumChain', { chainId: '0x1' })
  await expect(ask('personal_sign', 'hello', address)).rejects.toMatchObject({ code: 4001 })
  expect(service.requests).not.toContain('POST /sign/message')
})
