import { createWalletClient, custom, numberToHex, parseEther } from 'viem'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { startInMemoryService, type InMemoryService } from '../testing/index.js'
import { fundedClient, testClient } from '../testing/testClient.js'
import type { SignResult } from '../types.js'
import { createEip1193Provider } from './createEip1193Provider.js'

const to = '0x00000000000000000000000000000000000000aa'
let service: InMemoryService
beforeEach(async () => {
  service = await startInMemoryService()
})
afterEach(() => service.close())

test('connects, tells accounts and chain, and emits the events of EIP-1193', async () => {
  const { client, wallet } = await fundedClient(service)
  const provider = createEip1193Provider({ client })
  const events: unknown[] = []
  for (const name of ['connect', 'accountsChanged', 'disconnect']) provider.on(name, () => events.push(name))
  expect(await provider.request({ method: 'eth_requestAccounts' })).toEqual([wallet.address])
  expect(await provider.request({ method: 'eth_accounts' })).toEqual([wallet.address])
  expect(await provider.request({ method: 'eth_chainId' })).toBe('0x7a69')
  provider.disconnect()
  expect(await provider.request({ method: 'eth_accounts' })).toEqual([])
  expect(events).toEqual(['connect', 'accountsChanged', 'accountsChanged', 'disconnect'])
})

test('nobody signed in is 4100, a service that is down is 4900', async () => {
  const provider = createEip1193Provider({ client: testClient(service, null) })
  await expect(provider.request({ method: 'eth_requestAccounts' })).rejects.toMatchObject({ code: 4100 })
  await service.close()
  await expect(provider.request({ method: 'eth_requestAccounts' })).rejects.toMatchObject({ code: 4900 })
})

test('sends a transaction, estimates gas when none is given, and tells the proof', async () => {
  const { client, wallet } = await fundedClient(service)
  const sent: SignResult[] = []
  const provider = createEip1193Provider({ client, onSent: (result) => sent.push(result) })
  const value = numberToHex(parseEther('0.1'))
  const params = [{ from: wallet.address, to, value, data: '0x1234', nonce: '0x63' }]
  const hash = await provider.request({ method: 'eth_sendTransaction', params })
  expect(sent).toEqual([{ txHash: hash, attestationSlug: expect.any(String) }])
  expect(service.balance(to)).toBe(parseEther('0.1'))
})

test('works as a transport of viem', async () => {
  const { client } = await fundedClient(service)
  const viem = createWalletClient({ transport: custom(createEip1193Provider({ client })) })
  const [account] = await viem.requestAddresses()
  await viem.sendTransaction({ account: account ?? to, chain: null, to, value: 7n })
  expect(service.balance(to)).toBe(7n)
})

test('viem shows why a transaction is refused, not that it tried another method then', async () => {
  const { client, wallet } = await fundedClient(service)
  const viem = createWalletClient({ transport: custom(createEip1193Provider({ client })) })
  const send = () => viem.sendTransaction({ account: wallet.address, chain: null, to, data: '0x123' })
  const refused = { name: 'InvalidParamsRpcError', details: 'data is not whole bytes of hex.' }
  await expect(send()).rejects.toMatchObject({ cause: refused })
  await expect(send()).rejects.toMatchObject({ cause: refused }) // viem remembers what the wallet knows
})

test('reads pass through to the chain', async () => {
  const { client, wallet } = await fundedClient(service)
  const provider = createEip1193Provider({ client })
  const params = [wallet.address, 'latest']
  expect(await provider.request({ method: 'eth_getBalance', params })).toBe(numberToHex(parseEther('10')))
})

test.each([
  'eth_sign',
  'eth_signTypedData',
  'eth_signTypedData_v1',
  'eth_signTypedData_v3',
  'eth_signTransaction',
  'eth_sendRawTransaction',
  'eth_decrypt',
  'wallet_sendCalls',
  'wallet_watchAsset',
  'personal_unlockAccount',
])('%s is 4200, with the reason', async (method) => {
  const provider = createEip1193Provider({ client: testClient(service) })
  const refused = { code: 4200, message: expect.stringMatching(`^${method} is not supported: [^.]+\\.`) }
  await expect(provider.request({ method, params: ['0x', to] })).rejects.toMatchObject(refused)
})

test('another account is 4100, another chain 4902, a bad recipient -32602', async () => {
  const { client } = await fundedClient(service)
  const provider = createEip1193Provider({ client })
  const send = (call: object) => provider.request({ method: 'eth_sendTransaction', params: [call] })
  await expect(send({ from: to, to })).rejects.toMatchObject({ code: 4100 })
  await expect(send({ to: '0x1' })).rejects.toMatchObject({ code: -32602 })
  const change = (chainId: string) => provider.request({ method: 'wallet_switchEthereumChain', params: [{ chainId }] })
  expect(await change('0x7a69')).toBeNull()
  await expect(change('0x1')).rejects.toMatchObject({ code: 4902 })
})
