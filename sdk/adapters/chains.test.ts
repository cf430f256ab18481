import { afterEach, beforeEach, expect, test } from 'vitest'
import { startInMemoryService, type InMemoryService } from '../testing/index.js'
import { fundedClient } from '../testing/testClient.js'
import { createEip1193Provider, type Eip1193Provider } from './createEip1193Provider.js'

const to = '0x00000000000000000000000000000000000000aa'
let service: InMemoryService
let other: InMemoryService // another chain, of the same number as the second one below
let provider: Eip1193Provider
let address: string
let changes: unknown[]
beforeEach(async () => {
  service = await startInMemoryService()
  other = await startInMemoryService({ chainId: 84532 })
  const { client, wallet } = await fundedClient(service)
  ;[address, changes] = [wallet.address, []]
  provider = createEip1193Provider({ client, chains: [{ chainId: 84532, rpcUrl: other.rpcUrl }] })
  provider.on('chainChanged', (chainId: unknown) => changes.push(chainId))
})
afterEach(() => Promise.all([service.close(), other.close()]))
const ask = (method: string, ...params: unknown[]) => provider.request({ method, params })

test.each(['wallet_switchEthereumChain', 'wallet_addEthereumChain'])(
  '%s changes the chain of reads, and tells it once',
  async (method) => {
    const chain = { chainId: '0x14a34', chainName: 'Base Sepolia', rpcUrls: ['http://localhost:1'] }
    expect(await ask(method, chain)).toBeNull()
    expect(await ask(method, chain)).toBeNull()
    expect(await ask('eth_chainId')).toBe('0x14a34')
    expect(await ask('net_version')).toBe('84532')
    other.setBalance(to, 5n)
    expect(await ask('eth_getBalance', to, 'latest')).toBe('0x5')
    expect(await ask(method, { chainId: '0x7a69' })).toBeNull()
    expect(await ask('eth_getBalance', to, 'latest')).toBe('0x0')
    expect(changes).toEqual(['0x14a34', '0x7a69'])
  },
)

test.each(['wallet_switchEthereumChain', 'wallet_addEthereumChain'])(
  '%s refuses an unknown chain with 4902 and nonsense with -32602',
  async (method) => {
    const rpcUrls = ['https://rpc.example']
    await expect(ask(method, { chainId: '0x1', rpcUrls })).rejects.toMatchObject({ code: 4902 })
    for (const chainId of [1, '1', '0x0', '', null, '0x', undefined]) {
      await expect(ask(method, { chainId })).rejects.toMatchObject({ code: -32602 })
    }
    await expect(ask(method)).rejects.toMatchObject({ code: -32602 })
    expect(changes).toEqual([])
  },
)

test('a transaction for another chain than the active one is 4901', async () => {
  const send = () => ask('eth_sendTransaction', { from: address, to, value: '0x1', chainId: '0x7a69' })
  await send()
  expect(service.balance(to)).toBe(1n)
  await ask('wallet_switchEthereumChain', { chainId: '0x14a34' })
  await expect(send()).rejects.toMatchObject({ code: 4901 })
})

test('typed data for another chain than the active one is 4901, as JSON too; without a chain it is signed', async () => {
  const types = { Order: [{ name: 'amount', type: 'uint256' }] }
  const sign = (domain: object, write: (typedData: object) => unknown = (typedData) => typedData) =>
    ask('eth_signTypedData_v4', address, write({ domain, types, primaryType: 'Order', message: { amount: '7' } }))
  const chains = [service.chainId, '31337', '0x7a69'].map((chainId) => ({ name: 'App', chainId }))
  for (const domain of chains) expect(await sign(domain, JSON.stringify)).toMatch(/^0x/)
  await ask('wallet_switchEthereumChain', { chainId: '0x14a34' })
  for (const domain of chains) {
    await expect(sign(domain)).rejects.toMatchObject({ code: 4901 })
    await expect(sign(domain, JSON.stringify)).rejects.toMatchObject({ code: 4901 })
  }
  expect(await sign({ name: 'App' })).toMatch(/^0x/)
  await expect(sign({ name: 'App', chainId: 'one' })).rejects.toMatchObject({ code: -32602 })
  await expect(sign({}, () => '{')).rejects.toMatchObject({ code: -32602 })
})

test('a chain that the service does not sign for is 4901', async () => {
  await ask('wallet_switchEthereumChain', { chainId: '0x14a34' })
  const sent = ask('eth_sendTransaction', { from: address, to, value: '0x1' })
  await expect(sent).rejects.toMatchObject({ code: 4901, cause: { code: 'chain_not_allowed' } })
})

test('a chain’s RPC that does not answer is 4900; its own refusals keep their code', async () => {
  await expect(ask('eth_unknownMethod')).rejects.toMatchObject({ code: expect.any(Number) })
  await service.close()
  await expect(ask('eth_blockNumber')).rejects.toMatchObject({ code: 4900 })
}, 20_000)

test('an RPC that cannot be reached while a transaction is built is 4900', async () => {
  const { client } = await fundedClient(service)
  provider = createEip1193Provider({ client: client.onChain(service.chainId, 'http://127.0.0.1:1') })
  for (const gas of ['0x5208', undefined]) {
    const sent = ask('eth_sendTransaction', { from: address, to, gas })
    await expect(sent).rejects.toMatchObject({ code: 4900, cause: { code: 'rpc_error' } })
  }
}, 20_000)

test('wallet_getCapabilities says per chain that calls are not bundled', async () => {
  const none = { atomic: { status: 'unsupported' } }
  expect(await ask('wallet_getCapabilities', address)).toEqual({ '0x7a69': none, '0x14a34': none })
  expect(await ask('wallet_getCapabilities', address, ['0x7a69', '0x1'])).toEqual({ '0x7a69': none })
  await expect(ask('wallet_getCapabilities', to)).rejects.toMatchObject({ code: 4100 })
})
