import { createWalletClient, defineChain, http, parseEther } from 'viem'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createEip1193Provider } from '../adapters/createEip1193Provider.js'
import { toServiceAccount } from '../adapters/toServiceAccount.js'
import { startInMemoryService, testClient, type InMemoryService } from '../testing/index.js'
import type { AuthorisationMode, Hex } from '../types.js'
import type { ServiceClient } from './ServiceClient.js'

const to = '0x00000000000000000000000000000000000000aa'
let service: InMemoryService
beforeEach(async () => {
  service = await startInMemoryService()
})
afterEach(() => service.close())

/** A page that knows Ada's wallet, and a browser in which Bob can sign in at any time: all tabs share its cookie. */
async function startTab(authorisation: AuthorisationMode) {
  const jar = { cookie: service.signIn('ada@example.test'), origin: service.origin }
  const shared: typeof fetch = (input, init) => fetch(input, { ...init, headers: { ...init?.headers, ...jar } })
  const client = testClient(service, 'ada@example.test', { fetch: shared, authorisation })
  const ada = (await client.api.provisionWallet()).address
  const bob = (await testClient(service, 'bob@example.test').api.provisionWallet()).address
  for (const address of [ada, bob]) service.setBalance(address, parseEther('10'))
  const bobSignsIn = () => void (jar.cookie = service.signIn('bob@example.test'))
  return { client, ada, bob, bobSignsIn }
}

/** Every way to have a transaction or a message signed for a wallet that the page already knows. */
async function waysToSign(client: ServiceClient, address: Hex): Promise<Record<string, () => Promise<unknown>>> {
  const provider = createEip1193Provider({ client })
  await provider.request({ method: 'eth_requestAccounts' })
  const account = toServiceAccount({ client, address })
  const chain = defineChain({
    id: service.chainId,
    name: 'test',
    nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
    rpcUrls: { default: { http: [service.rpcUrl] } },
  })
  const viem = createWalletClient({ account, chain, transport: http() })
  return {
    signAndSend: () => client.signAndSend({ to, value: 5n }, { address }),
    signMessage: () => client.signMessage('hello', { address }),
    'a viem account': () => viem.sendTransaction({ to, value: 5n }),
    eth_sendTransaction: () => provider.request({ method: 'eth_sendTransaction', params: [{ to, value: '0x5' }] }),
  }
}

const failureOf = (work: Promise<unknown>) =>
  work.then(
    () => expect.fail('it was signed'),
    (error: unknown) => error,
  )

/** viem and EIP-1193 wrap the error; theirs have a `cause`. */
function codesOf(error: unknown): unknown[] {
  const { code, cause } = Object(error) as { code?: unknown; cause?: unknown }
  return cause === undefined ? [code] : [code, ...codesOf(cause)]
}

describe.each(['off', 'optional'] as const)('with authorisation %s', (authorisation) => {
  test.each(['signAndSend', 'signMessage', 'a viem account', 'eth_sendTransaction'])(
    '%s has nothing signed once another person has signed in',
    async (way) => {
      const { client, ada, bob, bobSignsIn } = await startTab(authorisation)
      const sign = (await waysToSign(client, ada))[way]
      bobSignsIn()
      const error = await failureOf(sign?.() ?? Promise.resolve())
      expect(codesOf(error)).toContain('account_changed')
      if (way === 'eth_sendTransaction') expect(error).toMatchObject({ code: 4100 })
      expect(service.requests.filter((request) => request.startsWith('POST /sign'))).toEqual([])
      expect(service.balance(bob)).toBe(parseEther('10'))
    },
  )

  test.each(['signAndSend', 'a viem account', 'eth_sendTransaction'])(
    '%s sends nothing that another wallet signed, and says that it exists',
    async (way) => {
      const { client, ada, bob, bobSignsIn } = await startTab(authorisation)
      const sign = (await waysToSign(client, ada))[way]
      const { signDigest } = client.api
      client.api.signDigest = (...asked) => {
        bobSignsIn() // after every look-up: only the signature shows it
        return signDigest(...asked)
      }
      const error = await failureOf(sign?.() ?? Promise.resolve())
      expect(codesOf(error)).toContain('account_changed')
      expect(String(Object(error).message)).toMatch(
        /The signed transaction exists.+anyone can send it until nonce 0 of/,
      )
      expect(service.requests).not.toContain('RPC eth_sendRawTransaction')
      expect(service.balance(bob)).toBe(parseEther('10'))
    },
  )
})

test('the error says whose wallet it is, and what to do', async () => {
  const { client, ada, bob, bobSignsIn } = await startTab('optional')
  bobSignsIn()
  await expect(client.signAndSend({ to }, { address: ada })).rejects.toMatchObject({
    name: 'ServiceError',
    code: 'account_changed',
    message: expect.stringContaining(bob),
    remedy: expect.stringMatching(/^Refresh/),
  })
})

test('the spelling of the address does not matter', async () => {
  const { client, ada } = await startTab('off')
  await client.signAndSend({ to, value: 5n }, { address: ada.toLowerCase() as Hex })
  expect(service.balance(to)).toBe(5n)
})
