import { connect, createConfig, http, sendTransaction } from '@wagmi/core'
import { createWalletClient, defineChain, type Chain } from 'viem'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { ServiceClient } from '../client/ServiceClient.js'
import { startOwned } from '../passkeys/testing/startOwned.js'
import { createEip1193Provider } from './createEip1193Provider.js'
import { serviceConnector } from './serviceConnector.js'
import { toServiceAccount } from './toServiceAccount.js'

// Every way to the enclave prompts for the passkey.
const to = '0x00000000000000000000000000000000000000aa'
let page: Awaited<ReturnType<typeof startOwned>>
let client: ServiceClient
let chain: Chain
beforeEach(async () => {
  page = await startOwned()
  client = page.client('ada@example.test', { authorisation: 'required' })
  chain = defineChain({
    id: page.service.chainId,
    name: 'test',
    nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
    rpcUrls: { default: { http: [page.service.rpcUrl] } },
  })
})
afterEach(() => page.close())

async function enrol() {
  const { owners } = await client.owners.enrol()
  page.fund(owners.address)
  page.authenticators.prompts.length = 0
  return owners.address
}

test('a viem account prompts', async () => {
  const account = toServiceAccount({ client, address: await enrol() })
  await createWalletClient({ account, chain, transport: http() }).sendTransaction({ to, value: 3n })
  expect(page.authenticators.prompts).toEqual(['get'])
  expect(page.service.balance(to)).toBe(3n)
  page.authenticators.device().declines = true
  const signed = account.signTransaction({ chainId: chain.id, nonce: 1, to, gas: 21_000n, maxFeePerGas: 10n })
  await expect(signed).rejects.toMatchObject({ code: 'authorisation_declined' })
})

test('the EIP-1193 provider prompts, a declined prompt is 4001, and without a wallet there is no account', async () => {
  const provider = createEip1193Provider({ client })
  await expect(provider.request({ method: 'eth_requestAccounts' })).rejects.toMatchObject({ code: -32002 })
  const address = await enrol()
  expect(await provider.request({ method: 'eth_requestAccounts' })).toEqual([address])
  const send = () => provider.request({ method: 'eth_sendTransaction', params: [{ to, value: '0x4' }] })
  await send()
  expect(page.authenticators.prompts).toEqual(['get'])
  page.authenticators.device().declines = true
  await expect(send()).rejects.toMatchObject({ code: 4001, cause: { code: 'authorisation_declined' } })
})

test('wagmi prompts', async () => {
  await enrol()
  const connector = serviceConnector({ client })
  const config = createConfig({
    chains: [chain],
    connectors: [connector],
    transports: { [chain.id]: http() },
    storage: null,
    multiInjectedProviderDiscovery: false,
  })
  const [own] = config.connectors
  if (!own) throw new Error('no connector')
  await connect(config, { connector: own })
  await sendTransaction(config, { to, value: 5n })
  expect(page.authenticators.prompts).toEqual(['get'])
  expect(page.service.balance(to)).toBe(5n)
})
