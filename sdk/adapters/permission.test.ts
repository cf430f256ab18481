import { connect, createConfig, createStorage, getConnection, http, injected, reconnect } from '@wagmi/core'
import { foundry } from 'viem/chains'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { ServiceClient } from '../client/ServiceClient.js'
import { startInMemoryService, type InMemoryService } from '../testing/index.js'
import { fundedClient, testClient } from '../testing/testClient.js'
import type { Hex } from '../types.js'
import { createEip1193Provider, type Eip1193Provider } from './createEip1193Provider.js'

const to = '0x00000000000000000000000000000000000000aa'
let service: InMemoryService
let client: ServiceClient
let address: Hex
let provider: Eip1193Provider
beforeEach(async () => {
  service = await startInMemoryService()
  const funded = await fundedClient(service)
  ;[client, address] = [funded.client, funded.wallet.address]
  provider = createEip1193Provider({ client })
})
afterEach(() => service.close())
const ask = (method: string, ...params: unknown[]) => provider.request({ method, params })
const revoke = () => ask('wallet_revokePermissions', { eth_accounts: {} })

test.each([
  ['wallet_revokePermissions', revoke],
  ['disconnect()', async () => provider.disconnect()],
])('after %s nothing is signed or told until the application asks for the accounts', async (_, giveBack) => {
  for (const again of ['eth_requestAccounts', 'wallet_requestPermissions']) {
    await giveBack()
    const before = service.requests.length
    await expect(ask('personal_sign', 'hello', address)).rejects.toMatchObject({ code: 4100 })
    await expect(ask('eth_sendTransaction', { from: address, to })).rejects.toMatchObject({ code: 4100 })
    await expect(ask('eth_sendTransaction', { to })).rejects.toMatchObject({ code: 4100 })
    await expect(ask('wallet_getCapabilities', address)).rejects.toMatchObject({ code: 4100 })
    expect(await ask('eth_accounts')).toEqual([])
    expect(await ask('wallet_getPermissions')).toEqual([])
    expect(service.requests).toHaveLength(before)
    await ask(again, { eth_accounts: {} })
    expect(await ask('personal_sign', 'hello', address)).toMatch(/^0x/)
  }
})

test('the only permission is eth_accounts, and is told until it is given back', async () => {
  const accounts: unknown[] = []
  provider.on('accountsChanged', (now: unknown) => accounts.push(now))
  const caveats = [{ type: 'restrictReturnedAccounts', value: [address] }]
  const granted = [{ parentCapability: 'eth_accounts', invoker: expect.any(String), caveats }]
  expect(await ask('wallet_requestPermissions', { eth_accounts: {} })).toEqual(granted)
  expect(await ask('wallet_getPermissions')).toEqual(granted)
  expect(await ask('eth_accounts')).toEqual([address])
  expect(await ask('wallet_revokePermissions', { eth_accounts: {} })).toBeNull()
  expect(await ask('wallet_getPermissions')).toEqual([])
  expect(await ask('eth_accounts')).toEqual([])
  expect(accounts).toEqual([[address], []])
  await expect(ask('wallet_requestPermissions', { camera: {} })).rejects.toMatchObject({ code: -32602 })
  await expect(ask('wallet_requestPermissions')).rejects.toMatchObject({ code: -32602 })
})

test('after another person has signed in, nothing is signed with their wallet until the application asks', async () => {
  let cookie = service.signIn('ada@example.test')
  const own: typeof fetch = (input, init) =>
    fetch(input, { ...init, headers: { ...init?.headers, cookie, origin: service.origin } })
  provider = createEip1193Provider({ client: testClient(service, null, { fetch: own }) })
  await ask('eth_requestAccounts')
  cookie = service.signIn('bob@example.test')
  await testClient(service, 'bob@example.test').api.provisionWallet()
  for (let time = 0; time < 2; time++) {
    await expect(ask('eth_sendTransaction', { to })).rejects.toMatchObject({ code: 4100 })
  }
  expect(await ask('eth_accounts')).toEqual([])
  expect(await ask('eth_requestAccounts')).not.toEqual([address])
})

test('a look at the account that ends late does not replace the account that the application asked for meanwhile', async () => {
  const ada = service.signIn('ada@example.test')
  let cookie = ada
  let answer = () => {}
  const held = new Promise<void>((resolve) => (answer = resolve))
  const own: typeof fetch = async (input, init) => {
    const isAda = cookie === ada
    const response = await fetch(input, { ...init, headers: { ...init?.headers, cookie, origin: service.origin } })
    if (isAda) await held
    return response
  }
  provider = createEip1193Provider({ client: testClient(service, null, { fetch: own }) })
  const accounts: unknown[] = []
  provider.on('accountsChanged', (now: unknown) => accounts.push(now))
  const look = ask('eth_accounts')
  cookie = service.signIn('bob@example.test')
  const bobs = await ask('eth_requestAccounts')
  answer()
  expect(bobs).not.toEqual([address])
  expect(await look).toEqual(bobs)
  expect(await ask('eth_accounts')).toEqual(bobs)
  expect(accounts).toEqual([bobs])
})

test('a session from before the page was loaded counts: eth_accounts finds its wallet once, and tells no event', async () => {
  const events: unknown[] = []
  for (const name of ['connect', 'accountsChanged']) provider.on(name, () => events.push(name))
  const before = service.requests.length
  expect(await Promise.all([ask('eth_accounts'), ask('eth_accounts')])).toEqual([[address], [address]])
  expect(await ask('eth_coinbase')).toBe(address)
  expect(service.requests.slice(before)).toEqual(['GET /wallet/me'])
  expect(events).toEqual([])
})

test('without a session or a wallet eth_accounts is empty, and asks the service once', async () => {
  for (const made of [testClient(service, null), testClient(service, 'new@example.test')]) {
    provider = createEip1193Provider({ client: made })
    const before = service.requests.length
    expect([await ask('eth_accounts'), await ask('eth_accounts')]).toEqual([[], []])
    expect(service.requests.slice(before)).toEqual(['GET /wallet/me'])
  }
})

test('a service that is away is told, and asked again', async () => {
  service.inject({ path: '/wallet/me', problem: { status: 500, code: 'internal_error' } })
  await expect(ask('eth_accounts')).rejects.toMatchObject({ code: -32603 })
  expect(await ask('eth_accounts')).toEqual([address])
})

test('a request from before the permission was given back does not bring it back', async () => {
  service.inject({ path: '/wallet/provision', delayMs: 100 })
  const asked = ask('personal_sign', 'hello', address)
  await revoke()
  await expect(asked).rejects.toMatchObject({ code: 4100 })
  expect(await ask('eth_accounts')).toEqual([])
})

test('a wallet that is found after the permission was given back stays untold', async () => {
  service.inject({ path: '/wallet/me', delayMs: 100 })
  const asked = ask('eth_accounts')
  await revoke()
  expect(await asked).toEqual([])
})

test('wagmi’s injected connector reconnects after the page was loaded again', async () => {
  vi.stubGlobal('window', new EventTarget())
  const kept = new Map<string, string>()
  const storage = createStorage({
    storage: {
      getItem: (key) => kept.get(key) ?? null,
      setItem: (key, value) => void kept.set(key, value),
      removeItem: (key) => void kept.delete(key),
    },
  })
  const load = () => {
    const target = { id: 'perigee', name: 'Perigee', provider: createEip1193Provider({ client }) as never }
    return createConfig({
      chains: [foundry],
      connectors: [injected({ target })],
      transports: { [foundry.id]: http(service.rpcUrl) },
      storage,
      multiInjectedProviderDiscovery: false,
    })
  }
  const first = load()
  const [connector] = first.connectors
  if (!connector) throw new Error('no connector')
  await connect(first, { connector })
  const second = load()
  await reconnect(second)
  expect(getConnection(second)).toMatchObject({ status: 'connected', address })
  vi.unstubAllGlobals()
})
