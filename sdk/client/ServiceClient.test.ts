import { keccak256, parseTransaction, recoverTransactionAddress } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { startInMemoryService, type InMemoryService } from '../testing/index.js'
import { fundedClient, testClient } from '../testing/testClient.js'
import type { SignProgress } from '../types.js'
import { digestOf } from './signing/buildTransaction.js'
import { ServiceClient } from './ServiceClient.js'

const to = '0x00000000000000000000000000000000000000aa'
let service: InMemoryService

beforeEach(async () => {
  service = await startInMemoryService({ publishing: 'manual' })
})
afterEach(() => service.close())

describe('configuration', () => {
  test('trailing slashes of apiBaseUrl are stripped', async () => {
    const client = testClient(service, 'ada@example.test', { apiBaseUrl: `${service.url}///` })
    expect(client.apiBaseUrl).toBe(service.url)
    expect((await client.api.me()).email).toBe('ada@example.test')
  })
  test('Sepolia and Base Sepolia work without an rpcUrl', () => {
    for (const chainId of [11155111, 84532]) {
      const { publicClient } = new ServiceClient({ apiBaseUrl: service.url, chainId })
      expect(publicClient.chain?.id).toBe(chainId)
      expect(publicClient.transport.url).toMatch(/^https:/)
    }
  })
  test('any other chain works with an rpcUrl, and asks for one without', () => {
    const config = { apiBaseUrl: service.url, chainId: 777 }
    expect(new ServiceClient({ ...config, rpcUrl: service.rpcUrl }).publicClient.chain?.id).toBe(777)
    expect(() => new ServiceClient(config)).toThrow(expect.objectContaining({ code: 'rpc_url_required' }))
  })
  test('rpcUrl overrides the default RPC of a known chain', () => {
    const client = new ServiceClient({ apiBaseUrl: service.url, chainId: 11155111, rpcUrl: service.rpcUrl })
    expect(client.publicClient.transport.url).toBe(service.rpcUrl)
  })
  test('sign-in starts at google unless another provider is named', () => {
    expect(testClient(service, null).loginUrl()).toBe(`${service.url}/auth/google`)
    const client = testClient(service, null, { identityProvider: 'dev' })
    expect(client.loginUrl('http://a.test/?x=1&y')).toBe(
      `${service.url}/auth/dev?return_to=http%3A%2F%2Fa.test%2F%3Fx%3D1%26y`,
    )
  })
})

describe('api', () => {
  test('me rejects with 401 when nobody is signed in', async () => {
    await expect(testClient(service, null).api.me()).rejects.toMatchObject({ code: 'not_signed_in', status: 401 })
  })
  test('getWallet rejects with 404 before a wallet is provisioned, and provisioning is idempotent', async () => {
    const { api } = testClient(service, 'ada@example.test')
    await expect(api.getWallet()).rejects.toMatchObject({ code: 'wallet_not_found', status: 404 })
    const first = await api.provisionWallet()
    expect(await api.provisionWallet()).toEqual(first)
    expect(await api.getWallet()).toEqual(first)
    expect(Object.keys(first.provenance).sort()).toEqual(['entropyHash', 'entropySig', 'satelliteSource'])
  })
  test('getProof needs no session and rejects with 404 for an unknown slug', async () => {
    await expect(testClient(service, null).api.getProof('nothing')).rejects.toMatchObject({ code: 'proof_not_found' })
  })
  test('logout ends the session at the service', async () => {
    const { api } = testClient(service, 'ada@example.test')
    await api.logout()
    await expect(api.me()).rejects.toMatchObject({ status: 401 })
  })
})

describe('signAndSend', () => {
  test('signs exactly the transaction that is broadcast, with the wallet of the person', async () => {
    const { client, wallet } = await fundedClient(service)
    const result = await client.signAndSend({ to, value: 5n })
    expect(result.attestationSlug).toMatch(/^[0-9a-f]{32}$/)
    const sent = await client.publicClient.getTransaction({ hash: result.txHash })
    expect(sent.from.toLowerCase()).toBe(wallet.address.toLowerCase())
    expect(service.balance(to)).toBe(5n)
  })
  test('a string value is ether, a bigint is wei, and both have defaults for the rest', async () => {
    const { client } = await fundedClient(service)
    let signing: Extract<SignProgress, { step: 'signing' }> | undefined
    const onProgress = (event: SignProgress) => {
      if (event.step === 'signing') signing = event
    }
    await client.signAndSend({ to, value: '0.5' }, { onProgress })
    expect(signing?.transaction).toMatchObject({ value: '500000000000000000', data: '0x', gas: '21000' })
    await client.signAndSend({ to }, { onProgress })
    expect(signing?.transaction).toMatchObject({ value: '0', nonce: 1, chainId: 31337 })
    expect(signing?.digest).toBe(signing && digestOf(signing.transaction))
  })
  test.each(['', '-1', '1e18', 'one', '0.0000000000000000001', ' 1'])(
    'refuses %j as an amount of ether',
    async (value) => {
      const { client } = await fundedClient(service)
      await expect(client.signAndSend({ to, value })).rejects.toMatchObject({ code: 'transaction_invalid' })
      expect(service.requests).not.toContain('POST /sign/digest')
    },
  )
  test('refuses a recipient that is not an address, before anything is asked', async () => {
    const { client } = await fundedClient(service)
    await expect(client.signAndSend({ to: '0x12' })).rejects.toMatchObject({ code: 'transaction_invalid' })
    await expect(client.signAndSend({ to: null as never })).rejects.toMatchObject({ code: 'transaction_invalid' })
  })
  test('reads nonce and fees in parallel', async () => {
    const { client, wallet } = await fundedClient(service)
    const events: string[] = []
    const { publicClient } = client
    const { getTransactionCount, estimateFeesPerGas } = publicClient
    publicClient.getTransactionCount = async (args) => {
      events.push('nonce asked')
      return await getTransactionCount(args).finally(() => events.push('answered'))
    }
    publicClient.estimateFeesPerGas = (async () => {
      events.push('fees asked')
      return await estimateFeesPerGas().finally(() => events.push('answered'))
    }) as typeof estimateFeesPerGas
    await client.signAndSend({ to }, wallet)
    expect(events).toEqual(['nonce asked', 'fees asked', 'answered', 'answered'])
  })
  test('nonce and fees given in the request change nothing', async () => {
    const { client } = await fundedClient(service)
    const extra = { nonce: 99, maxFeePerGas: 1n } as object
    const { txHash } = await client.signAndSend({ to, ...extra })
    expect((await client.publicClient.getTransaction({ hash: txHash })).nonce).toBe(0)
  })
  test('two calls at once get two nonces', async () => {
    const { client } = await fundedClient(service)
    const results = await Promise.all([
      client.signAndSend({ to }),
      client.signAndSend({ to }),
      client.signAndSend({ to }),
    ])
    expect(new Set(results.map(({ txHash }) => txHash)).size).toBe(3)
  })
  test('too little gas for calldata fails at broadcast, and gas: estimate helps', async () => {
    const { client } = await fundedClient(service)
    await expect(client.signAndSend({ to, data: '0x1234' })).rejects.toMatchObject({ code: 'gas_too_low' })
    const { txHash } = await client.signAndSend({ to, data: '0x1234', gas: 'estimate' })
    expect((await client.publicClient.getTransaction({ hash: txHash })).gas).toBe(21032n)
  })
  test('an empty wallet is told that funds are missing, and where the proof is', async () => {
    const client = testClient(service, 'poor@example.test')
    await client.api.provisionWallet()
    await expect(client.signAndSend({ to })).rejects.toMatchObject({
      code: 'insufficient_funds',
      facts: { attestationSlug: expect.any(String), txHash: expect.any(String) },
    })
  })
  test('rejects with wallet_not_ready when the person has no wallet', async () => {
    const run = testClient(service, 'new@example.test').signAndSend({ to })
    await expect(run).rejects.toThrow(/^wallet_not_ready$/)
    await expect(run).rejects.toBeInstanceOf(Error)
  })
  test('tells its progress step by step', async () => {
    const { client } = await fundedClient(service)
    const steps: SignProgress[] = []
    const result = await client.signAndSend({ to }, { onProgress: (event) => steps.push(event) })
    expect(steps.map(({ step }) => step)).toEqual(['preparing', 'signing', 'broadcasting', 'sent'])
    expect(steps[2]).toEqual({ step: 'broadcasting', ...result })
  })
  test('stops before signing when aborted', async () => {
    const { client, wallet } = await fundedClient(service)
    const controller = new AbortController()
    const run = client.signAndSend({ to }, { address: wallet.address, signal: controller.signal })
    controller.abort()
    await expect(run).rejects.toMatchObject({ code: 'aborted' })
    expect(service.requests).not.toContain('POST /sign/digest')
  })
  test('a lost answer to signDigest is asked for again and signs once', async () => {
    const { client } = await fundedClient(service)
    service.inject({ path: '/sign/digest', loseAnswer: true })
    const { txHash, attestationSlug } = await client.signAndSend({ to, value: 1n })
    expect(service.requests.filter((line) => line === 'POST /sign/digest')).toHaveLength(2)
    expect((await client.api.getProof(attestationSlug)).txHash).toBe(txHash)
    expect(service.balance(to)).toBe(1n)
  })
  test('a lost answer to the broadcast does not fail a transaction that is on the chain', async () => {
    const { client } = await fundedClient(service)
    const { publicClient } = client
    const send = publicClient.sendRawTransaction
    publicClient.sendRawTransaction = async (args) => {
      await send(args)
      throw new Error('connection reset')
    }
    const { txHash } = await client.signAndSend({ to, value: 1n })
    expect((await publicClient.getTransactionReceipt({ hash: txHash })).status).toBe('success')
  })
})

describe('waitForProof', () => {
  test('resolves once the proof is complete', async () => {
    const { client } = await fundedClient(service)
    const { attestationSlug, txHash } = await client.signAndSend({ to })
    await service.complete(attestationSlug)
    const proof = await client.waitForProof(attestationSlug)
    expect(proof).toMatchObject({ status: 'complete', txHash, onchainBlockNumber: 2 })
    expect(proof.kind === 'transaction' && proof.receipt?.transaction.txHash).toBe(txHash)
  })
  test('resolves with a failed proof, because that state is final too', async () => {
    const { client } = await fundedClient(service)
    const { attestationSlug } = await client.signAndSend({ to })
    service.fail(attestationSlug)
    expect((await client.waitForProof(attestationSlug)).status).toBe('pin_failed')
  })
  test('rejects at once for an unknown slug, after the timeout for a slow one, and when aborted', async () => {
    const { client } = await fundedClient(service)
    await expect(client.waitForProof('nothing')).rejects.toMatchObject({ code: 'proof_not_found' })
    const { attestationSlug } = await client.signAndSend({ to })
    const slow = client.waitForProof(attestationSlug, { timeoutMs: 50 })
    await expect(slow).rejects.toMatchObject({ code: 'proof_timeout' })
    const signal = AbortSignal.abort()
    await expect(client.waitForProof(attestationSlug, { signal })).rejects.toMatchObject({ code: 'aborted' })
  })
})

test('the client holds no key material: the service signs, and what is broadcast recovers to its wallet', async () => {
  const { client, wallet } = await fundedClient(service)
  const other = privateKeyToAccount(generatePrivateKey())
  let raw: `0x02${string}` | undefined
  const send = client.publicClient.sendRawTransaction
  client.publicClient.sendRawTransaction = (args) => {
    raw = args.serializedTransaction as `0x02${string}`
    return send(args)
  }
  const { txHash } = await client.signAndSend({ to: other.address })
  if (!raw) throw new Error('nothing was broadcast')
  expect(keccak256(raw)).toBe(txHash)
  expect(parseTransaction(raw).type).toBe('eip1559')
  expect(await recoverTransactionAddress({ serializedTransaction: raw })).toBe(wallet.address)
})
