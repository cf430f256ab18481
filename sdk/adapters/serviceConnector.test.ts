import {
  connect,
  createConfig,
  disconnect,
  getConnection,
  http,
  reconnect,
  sendTransaction,
  signMessage,
  signTypedData,
  switchChain,
} from '@wagmi/core'
import { defineChain, parseEther, recoverMessageAddress, recoverTypedDataAddress } from 'viem'
import { sepolia } from 'viem/chains'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { startInMemoryService, type InMemoryService } from '../testing/index.js'
import { fundedClient, testClient } from '../testing/testClient.js'
import type { ServiceClient } from '../client/ServiceClient.js'
import type { SignResult } from '../types.js'
import type { Eip1193Provider } from './createEip1193Provider.js'
import type { ExtraChain } from './createChains.js'
import { serviceConnector } from './serviceConnector.js'

const to = '0x00000000000000000000000000000000000000aa'
let service: InMemoryService
beforeEach(async () => {
  service = await startInMemoryService()
})
afterEach(() => service.close())

function wagmi(client: ServiceClient, sent: SignResult[] = [], logins: string[] = [], chains: ExtraChain[] = []) {
  const local = defineChain({
    id: service.chainId,
    name: 'test',
    nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
    rpcUrls: { default: { http: [service.rpcUrl] } },
  })
  const connector = serviceConnector({
    client,
    chains,
    onSent: (result) => sent.push(result),
    login: () => logins.push('login'),
  })
  return createConfig({
    chains: [local, sepolia],
    connectors: [connector],
    transports: { [local.id]: http(), [sepolia.id]: http() },
    storage: null,
    multiInjectedProviderDiscovery: false,
  })
}

test('wagmi connects, sends and disconnects with it', async () => {
  const { client, wallet } = await fundedClient(service)
  const sent: SignResult[] = []
  const config = wagmi(client, sent)
  const connector = config.connectors[0]
  if (!connector) throw new Error('no connector')
  expect((await connect(config, { connector })).accounts).toEqual([wallet.address])
  const hash = await sendTransaction(config, { to, value: parseEther('0.2') })
  expect(sent[0]?.txHash).toBe(hash)
  expect(service.balance(to)).toBe(parseEther('0.2'))
  await disconnect(config)
  expect(getConnection(config).status).toBe('disconnected')
  await expect(client.api.me()).rejects.toMatchObject({ status: 401 })
})

test('wagmi shows why a transaction is refused', async () => {
  const { client } = await fundedClient(service)
  const config = wagmi(client)
  const connector = config.connectors[0]
  if (!connector) throw new Error('no connector')
  await connect(config, { connector })
  const sent = sendTransaction(config, { to, data: '0x123', gas: 30_000n })
  await expect(sent).rejects.toMatchObject({ cause: { name: 'InvalidParamsRpcError' } })
})

test('connect goes to sign-in when nobody is signed in, reconnect does not', async () => {
  const logins: string[] = []
  const config = wagmi(testClient(service, null), [], logins)
  const connector = config.connectors[0]
  if (!connector) throw new Error('no connector')
  expect(await reconnect(config)).toEqual([])
  expect(logins).toEqual([])
  await expect(connect(config, { connector })).rejects.toMatchObject({ code: 4100 })
  expect(logins).toEqual(['login'])
})

test('reconnect finds the session after the page was loaded again', async () => {
  const { client, wallet } = await fundedClient(service)
  const config = wagmi(client)
  const [connection] = await reconnect(config)
  expect(connection?.accounts).toEqual([wallet.address])
})

test('refuses another chain', async () => {
  const { client } = await fundedClient(service)
  const config = wagmi(client)
  const connector = config.connectors[0]
  if (!connector) throw new Error('no connector')
  await expect(connect(config, { connector, chainId: sepolia.id })).rejects.toMatchObject({ code: 4902 })
  await connect(config, { connector })
  await expect(switchChain(config, { chainId: sepolia.id })).rejects.toMatchObject({ code: 4902 })
  expect((await switchChain(config, { chainId: service.chainId })).id).toBe(service.chainId)
})

test('signs messages and typed data', async () => {
  const { client, wallet } = await fundedClient(service)
  const config = wagmi(client)
  const connector = config.connectors[0]
  if (!connector) throw new Error('no connector')
  await connect(config, { connector })
  const signature = await signMessage(config, { message: 'hello' })
  expect(await recoverMessageAddress({ message: 'hello', signature })).toBe(wallet.address)
  const typedData = {
    domain: { name: 'App', chainId: service.chainId },
    types: { Order: [{ name: 'amount', type: 'uint256' }] },
    primaryType: 'Order',
    message: { amount: 7n },
  } as const
  const typed = await signTypedData(config, typedData)
  expect(await recoverTypedDataAddress({ ...typedData, signature: typed })).toBe(wallet.address)
  client.confirm = () => false
  await expect(signMessage(config, { message: 'no' })).rejects.toMatchObject({ name: 'UserRejectedRequestError' })
})

test('switches to a chain that it was given, and back; wagmi follows', async () => {
  const { client } = await fundedClient(service)
  const config = wagmi(client, [], [], [{ chainId: sepolia.id, rpcUrl: service.rpcUrl }])
  const connector = config.connectors[0]
  if (!connector) throw new Error('no connector')
  expect((await connect(config, { connector, chainId: sepolia.id })).chainId).toBe(sepolia.id)
  expect(getConnection(config).chainId).toBe(sepolia.id)
  await switchChain(config, { chainId: service.chainId })
  expect(getConnection(config).chainId).toBe(service.chainId)
  await sendTransaction(config, { to, value: 1n })
  expect(service.balance(to)).toBe(1n)
})

test('an application that gives its permission back is disconnected', async () => {
  const { client } = await fundedClient(service)
  const config = wagmi(client)
  const connector = config.connectors[0]
  if (!connector) throw new Error('no connector')
  await connect(config, { connector })
  const provider = (await connector.getProvider()) as Eip1193Provider
  await provider.request({ method: 'wallet_revokePermissions', params: [{ eth_accounts: {} }] })
  expect(getConnection(config).status).toBe('disconnected')
})

test('wagmi hears that the session has ended', async () => {
  const { client, wallet } = await fundedClient(service)
  const config = wagmi(client)
  const connector = config.connectors[0]
  if (!connector) throw new Error('no connector')
  await connect(config, { connector })
  const accounts: unknown[] = []
  const provider = (await connector.getProvider()) as Eip1193Provider
  provider.on('accountsChanged', (now: unknown) => accounts.push(now))
  await client.api.logout() // as in another tab
  const params = ['hello', wallet.address]
  await expect(provider.request({ method: 'personal_sign', params })).rejects.toMatchObject({ code: 4100 })
  expect(accounts).toEqual([[]])
  expect(getConnection(config).status).toBe('disconnected')
})

test('wagmi hears that somebody else has signed in', async () => {
  let cookie = service.signIn('ada@example.test')
  const client = testClient(service, null, {
    fetch: (input, init) => fetch(input, { ...init, headers: { ...init?.headers, cookie, origin: service.origin } }),
  })
  const config = wagmi(client)
  const connector = config.connectors[0]
  if (!connector) throw new Error('no connector')
  await connect(config, { connector })
  cookie = service.signIn('bob@example.test') // as in another tab
  await client.api.provisionWallet()
  await expect(signMessage(config, { message: 'hello' })).rejects.toMatchObject({ code: 4100 })
  expect(getConnection(config).status).toBe('disconnected')
  const { accounts } = await connect(config, { connector })
  expect(accounts).toEqual([(await client.api.getWallet()).address])
})
