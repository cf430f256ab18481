import { connect, createConfig, http, sendTransaction } from '@wagmi/core'
import { createWalletClient, defineChain, hashMessage, type Chain } from 'viem'
import { createSiweMessage } from 'viem/siwe'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { requestHash } from '../../core/message/index.js'
import { mail } from '../../core/message/testing/typedData.js'
import type { ServiceClient } from '../client/ServiceClient.js'
import { startOwned } from '../passkeys/testing/startOwned.js'
import type { Intent } from '../types.js'
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

test('messages and typed data prompt everywhere, and the passkey approves exactly them', async () => {
  const address = await enrol()
  const provider = createEip1193Provider({ client })
  const account = toServiceAccount({ client, address })
  const typedData = { ...mail, domain: { name: 'Mail', chainId: BigInt(chain.id) } } as const
  await account.signMessage({ message: 'hello' })
  await account.signTypedData(typedData as never)
  await provider.request({ method: 'personal_sign', params: ['hello', address] })
  const json = JSON.stringify({ ...mail, domain: { name: 'Mail', chainId: chain.id } })
  await provider.request({ method: 'eth_signTypedData_v4', params: [address, json] })
  expect(page.authenticators.prompts).toEqual(['get', 'get', 'get', 'get'])
  expect(page.verified.filter((path) => path === '/sign/message')).toHaveLength(4)
  page.authenticators.device().declines = true
  const declined = provider.request({ method: 'personal_sign', params: ['hello', address] })
  await expect(declined).rejects.toMatchObject({ code: 4001, cause: { code: 'authorisation_declined' } })
})

test('an approval of one message is refused for another, and for a transaction’s kind', async () => {
  const address = await enrol()
  const { opening } = await client.signMessage('hello')
  const wallet = await client.owners.find(address)
  const salt = opening.salt
  const digest = requestHash({ scheme: 'eip191', digest: hashMessage('hello'), salt })
  const message = { scheme: 'eip191', message: '0x68656c6c6f', salt } as const
  const send = async (kind: Intent['kind'], change = {}) => {
    const approved = await client.owners.approve(wallet, 0, digest, undefined, kind)
    return client.api.signMessage({ ...message, ...approved, ...change })
  }
  await send('message')
  const invalid = { code: 'authorisation_invalid' }
  await expect(send('transaction')).rejects.toMatchObject(invalid)
  await expect(send('typed-data')).rejects.toMatchObject(invalid)
  await expect(send('message', { message: '0x68' })).rejects.toMatchObject(invalid)
  await expect(send('message', { salt: `0x${'01'.repeat(32)}` })).rejects.toMatchObject(invalid)
  await expect(client.api.signMessage(message)).rejects.toMatchObject({ code: 'authorisation_required' })
})

test('with a passkey a sign-in message must be for the page that it saw', async () => {
  const address = await enrol()
  const text = (domain: string) =>
    createSiweMessage({ address, chainId: 1, domain, nonce: 'abcdefgh', uri: `http://${domain}`, version: '1' })
  await client.signMessage(text('localhost:3000'))
  await expect(client.signMessage(text('evil.example'))).rejects.toMatchObject({ code: 'sign_in_domain' })
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
