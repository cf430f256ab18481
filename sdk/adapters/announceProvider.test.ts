import { connect, createConfig, http } from '@wagmi/core'
import { foundry } from 'viem/chains'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { startInMemoryService, type InMemoryService } from '../testing/index.js'
import { fundedClient } from '../testing/testClient.js'
import { announceProvider, type ProviderInfo } from './announceProvider.js'
import { createEip1193Provider, type Eip1193Provider } from './createEip1193Provider.js'

let service: InMemoryService
let provider: Eip1193Provider
let address: string
beforeEach(async () => {
  vi.stubGlobal('window', new EventTarget()) // all that EIP-6963 needs of a page
  service = await startInMemoryService()
  const { client, wallet } = await fundedClient(service)
  ;[provider, address] = [createEip1193Provider({ client }), wallet.address]
})
afterEach(async () => {
  vi.unstubAllGlobals()
  await service.close()
})

type Announced = CustomEvent<{ info: ProviderInfo; provider: Eip1193Provider }>
function listen() {
  const heard: Announced['detail'][] = []
  window.addEventListener('eip6963:announceProvider', (event) => heard.push((event as Announced).detail))
  return heard
}
const ask = () => window.dispatchEvent(new Event('eip6963:requestProvider'))

test('announces at once and whenever a page asks, until it is stopped', () => {
  const heard = listen()
  const stop = announceProvider(provider)
  expect(heard).toHaveLength(1)
  ask()
  expect(heard).toHaveLength(2)
  const [first, second] = heard
  expect(first?.provider).toBe(provider)
  expect(second?.info).toEqual(first?.info) // the same id on every announcement
  expect(first?.info).toMatchObject({ name: 'Perigee', rdns: 'org.perigee' })
  expect(first?.info.uuid).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
  expect(first?.info.icon).toMatch(/^data:image\/svg\+xml,/)
  expect(Object.isFrozen(first) && Object.isFrozen(first?.info)).toBe(true)
  stop()
  ask()
  expect(heard).toHaveLength(2)
})

test('an application can give its own name, icon and reverse DNS', () => {
  const heard = listen()
  const info = { uuid: '350670db-19fa-4704-a166-e52e178b59d2', name: 'Example', icon: 'data:,', rdns: 'org.example' }
  announceProvider(provider, info)()
  expect(heard[0]?.info).toEqual(info)
})

test('wagmi finds the wallet and connects to it without our connector', async () => {
  const stop = announceProvider(provider)
  const config = createConfig({ chains: [foundry], transports: { [foundry.id]: http(service.rpcUrl) } })
  const found = config.connectors.find(({ id }) => id === 'org.perigee')
  if (!found) throw new Error('wagmi has not found the wallet')
  expect(found.name).toBe('Perigee')
  const { accounts } = await connect(config, { connector: found })
  expect(accounts).toEqual([address])
  stop()
})
