import {
  getAddress,
  keccak256,
  parseTransaction,
  recoverTransactionAddress,
  serializeTransaction,
  size,
  type Hex,
} from 'viem'
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { ServiceClient, ServiceProvider, useService, type ServiceClientConfig } from '@perigee/sdk'
import { isTrue, startRig, to, type Rig } from './rig.js'
import { describePolling } from './polling.js'

// The spec's sentences about the SDK, against the real API, worker, enclave program, IPFS node and chain.
// sdk/SPEC.md says which test shows which sentence.
let rig: Rig
beforeAll(async () => {
  rig = await startRig()
}, 300_000)
afterAll(() => rig?.close())
afterEach(() => {
  rig.page.cleanup()
  rig.api.set('none')
  rig.site.ipfs.set('none')
  process.kill(rig.site.stack.processes['kubo'] as number, 'SIGCONT') // also after a test that failed half-way
})

const body = (line: string) =>
  JSON.parse(rig.page.calls.find((call) => call.line === line)?.body ?? '{}') as Record<string, never>

describe('signing in', () => {
  test('is a full-page redirect that returns with an httpOnly session cookie on the origin of the service', async () => {
    const { result } = await rig.mount()
    const assign = vi.spyOn(rig.page.window.location, 'assign').mockImplementation(() => undefined)
    result.current.login()
    const start = String(assign.mock.calls[0]?.[0])
    assign.mockRestore()
    expect(start).toBe(`${rig.config.apiBaseUrl}/auth/dev?return_to=${encodeURIComponent(`${rig.site.url}/`)}`)
    const answer = await fetch(start, { redirect: 'manual' })
    expect(answer.status).toBe(302)
    const jar = await rig.signIn('ada@example.test')
    expect(jar.lines.filter((line) => /; HttpOnly/i.test(line) && /; SameSite=Lax/i.test(line))).not.toEqual([])
    expect(jar.lines.filter((line) => !/; HttpOnly/i.test(line))).toEqual([])
    await rig.page.act(() => result.current.refresh())
    expect(result.current.user?.email).toBe('ada@example.test')
    expect(rig.page.window.document.cookie).toBe('')
  })

  test('an origin that is not on the allow-list is refused, and told apart', async () => {
    rig.page.useOrigin('http://elsewhere.example')
    await expect(new ServiceClient(rig.config).api.me()).rejects.toMatchObject({ code: 'network_error', status: null })
    rig.page.useOrigin(new URL(rig.site.url).origin)
  })
})

describe('the provider', () => {
  test('on mount looks up the person, then the wallet, and provisions one on 404; user comes before wallet', async () => {
    const enclave = rig.site.stack.processes['enclave'] as number
    process.kill(enclave, 'SIGSTOP') // so that sign-in cannot have made the wallet yet
    let view
    try {
      await rig.signIn('first@example.test')
      view = rig.page.renderHook(() => useService(), {
        wrapper: ({ children }) => <ServiceProvider config={rig.config}>{children}</ServiceProvider>,
      })
      await rig.page.waitFor(() => isTrue(rig.page.lines().includes('POST /wallet/provision')), { timeout: 10_000 })
      expect(rig.page.lines()).toEqual(['GET /auth/me', 'GET /wallet/me', 'POST /wallet/provision'])
      expect(rig.page.calls[1]?.status).toBe(404)
      expect(view.result.current).toMatchObject({ user: { email: 'first@example.test' }, wallet: null, ready: false })
    } finally {
      process.kill(enclave, 'SIGCONT')
    }
    const { result } = view
    await rig.page.waitFor(() => isTrue(result.current.ready), { timeout: 30_000 })
    expect(Object.keys(result.current.user ?? {}).sort()).toEqual(['email', 'id', 'name'])
    expect(result.current.user?.id).toMatch(/^[0-9a-f-]{36}$/)
    const { wallet } = result.current
    expect(Object.keys(wallet ?? {}).sort()).toEqual(['address', 'createdAt', 'provenance'])
    expect(Object.keys(wallet?.provenance ?? {}).sort()).toEqual(['entropyHash', 'entropySig', 'satelliteSource'])
    expect(new Date(wallet?.createdAt ?? '').toISOString()).toBe(wallet?.createdAt)
    // Idempotent, also all at once; the provenance never changes.
    const { api } = result.current.client
    for (const again of await Promise.all([1, 2, 3].map(() => api.provisionWallet()))) expect(again).toEqual(wallet)
  })

  test('is ready with user null on 401 and asks for no wallet; refresh does not reject on 401', async () => {
    rig.signOut()
    rig.page.forget()
    const { result } = await rig.mount()
    expect(result.current).toMatchObject({ user: null, wallet: null, ready: true })
    expect(rig.page.lines()).toEqual(['GET /auth/me'])
    await rig.page.act(() => result.current.refresh())
    expect(result.current.user).toBeNull()
    await expect(result.current.client.api.me()).rejects.toMatchObject({ code: 'not_signed_in', status: 401 })
  })

  test('is ready whatever the outcome, also when the service cannot be reached', async () => {
    rig.api.set('down')
    const { result } = await rig.mount()
    expect(result.current).toMatchObject({ user: null, ready: true, problem: { code: 'network_error' } })
  })

  test('never refreshes on focus, storage or visibility, nor by itself', async () => {
    await rig.signIn('ada@example.test')
    await rig.mount()
    const before = rig.page.calls.length
    const { window } = rig.page
    for (const type of ['focus', 'storage', 'online', 'pageshow']) window.dispatchEvent(new window.Event(type))
    window.document.dispatchEvent(new window.Event('visibilitychange'))
    await new Promise((resolve) => setTimeout(resolve, 1500))
    expect(rig.page.calls.length).toBe(before)
  })

  test('keeps its client unless apiBaseUrl or chainId change, and strips trailing slashes', async () => {
    const clients: ServiceClient[] = []
    const Probe = () => {
      clients.push(useService().client)
      return null
    }
    const tree = (extra: Partial<ServiceClientConfig>) => (
      <ServiceProvider config={{ ...rig.config, ...extra }}>
        <Probe />
      </ServiceProvider>
    )
    const view = rig.page.render(tree({}))
    view.rerender(tree({ rpcUrl: 'http://localhost:1', identityProvider: 'google' }))
    expect(new Set(clients).size).toBe(1)
    view.rerender(tree({ chainId: 11155111 }))
    view.rerender(tree({ chainId: 11155111, apiBaseUrl: `${rig.config.apiBaseUrl}//` }))
    expect(new Set(clients).size).toBe(3)
    expect(clients.at(-1)?.apiBaseUrl).toBe(rig.config.apiBaseUrl)
    await rig.page.waitFor(() => isTrue(rig.page.calls.every(({ endedAt }) => endedAt !== null)))
    expect(rig.page.lines().filter((line) => line.includes('//'))).toEqual([])
  })

  test('useService outside of it throws the exact sentence', () => {
    const log = vi.spyOn(console, 'error').mockImplementation(() => undefined)
    const message = 'useService must be used inside <ServiceProvider>'
    expect(() => rig.page.renderHook(() => useService())).toThrow(new Error(message))
    log.mockRestore()
  })

  test('logout ends the session and clears the state, and clears it when the request fails too', async () => {
    await rig.signIn('ada@example.test')
    const { result } = await rig.mount()
    rig.api.set('down')
    await rig.page.act(async () => {
      await expect(result.current.logout()).rejects.toMatchObject({ code: 'network_error' })
    })
    expect(result.current).toMatchObject({ user: null, wallet: null })
    rig.api.set('none')
    await rig.page.act(() => result.current.refresh())
    expect(result.current.user).not.toBeNull() // the service was not reached: it still knows the session
    await rig.page.act(() => result.current.logout())
    expect(result.current).toMatchObject({ user: null, wallet: null, ready: true })
    await rig.page.act(() => result.current.refresh())
    expect(result.current.user).toBeNull()
  })
})

describe('signAndSend', () => {
  test('rejects with wallet_not_ready while there is no wallet', async () => {
    rig.signOut()
    const { result } = await rig.mount()
    await rig.page.act(async () => {
      await expect(result.current.signAndSend({ to })).rejects.toThrow(/^wallet_not_ready$/)
    })
  })

  test('takes the steps of the spec: ether, nonce and fees in parallel, digest, signature, splice, broadcast', async () => {
    await rig.signIn('ada@example.test')
    const { result } = await rig.mount()
    const { wallet } = result.current
    await rig.fund(wallet?.address ?? '')
    rig.page.forget()
    const extra = { nonce: 99, maxFeePerGas: 1n } as object // cannot be overridden
    let run!: Promise<{ txHash: Hex; attestationSlug: string }>
    rig.page.act(() => void (run = result.current.signAndSend({ to, value: '0.5', ...extra })))
    expect(result.current).toMatchObject({ pending: true, error: null })
    const sent = await rig.page.act(() => run)
    expect(Object.keys(sent).sort()).toEqual(['attestationSlug', 'txHash'])
    expect(result.current).toMatchObject({ pending: false, error: null, lastResult: sent })

    const { calls } = rig.page
    const [nonce, fees] = ['RPC eth_getTransactionCount', 'RPC eth_getBlockByNumber'].map((line) =>
      calls.find((call) => call.line === line),
    )
    if (!nonce?.endedAt || !fees?.endedAt) throw new Error(`nonce or fees were not asked: ${rig.page.lines().join()}`)
    expect(fees.startedAt).toBeLessThan(nonce.endedAt) // both under way at once
    const { digest, txMetadata: tx } = body('POST /sign/digest') as unknown as { digest: Hex; txMetadata: Tx }
    expect(tx).toMatchObject({ value: '500000000000000000', data: '0x', gas: '21000', chainId: rig.config.chainId, to })
    expect(tx.nonce).toBeLessThan(99)
    const { value, gas, maxFeePerGas, maxPriorityFeePerGas, ...rest } = tx
    const numbers = Object.entries({ value, gas, maxFeePerGas, maxPriorityFeePerGas }).map(([k, v]) => [k, BigInt(v)])
    const unsigned = serializeTransaction({ type: 'eip1559', ...rest, ...(Object.fromEntries(numbers) as object) })
    expect(digest).toBe(keccak256(unsigned))
    expect(size(digest)).toBe(32)

    const raw = body('RPC eth_sendRawTransaction') as unknown as { params: [`0x02${string}`] }
    expect(keccak256(raw.params[0])).toBe(sent.txHash)
    expect(parseTransaction(raw.params[0]).type).toBe('eip1559')
    expect(await recoverTransactionAddress({ serializedTransaction: raw.params[0] })).toBe(
      getAddress(wallet?.address ?? ''),
    )
    expect(rig.page.lines().indexOf('POST /sign/digest')).toBeLessThan(
      rig.page.lines().indexOf('RPC eth_sendRawTransaction'),
    )
    const mined = await result.current.client.publicClient.waitForTransactionReceipt({ hash: sent.txHash })
    expect(mined.status).toBe('success')
    // Opaque: at least 128 bits, and nothing of the transaction in it.
    expect(sent.attestationSlug).toMatch(/^[A-Za-z0-9_-]{22,}$/)
    expect(sent.attestationSlug).not.toContain(sent.txHash.slice(2, 10))
  })

  test('a lost answer is asked for again and signs once: same signature, same slug, one transaction', async () => {
    await rig.signIn('ada@example.test')
    const { result } = await rig.mount()
    const { client, wallet } = result.current
    const count = () => client.publicClient.getTransactionCount({ address: wallet?.address as Hex })
    const before = await count()
    let lost = 0
    rig.api.set('cut-answer', (text) => text.includes('/sign/digest') && lost++ === 0)
    rig.page.forget()
    const { txHash } = await rig.page.act(() => result.current.signAndSend({ to, value: 3n }))
    expect(rig.page.lines().filter((line) => line === 'POST /sign/digest')).toHaveLength(2)
    await client.publicClient.waitForTransactionReceipt({ hash: txHash })
    expect(await count()).toBe(before + 1)
    const input = body('POST /sign/digest') as never
    const [first, again] = [await client.api.signDigest(input), await client.api.signDigest(input)]
    expect(again).toEqual(first)
    expect(size(first.signature)).toBe(65)
  })

  test('fails at broadcast with too little gas; error and lastResult follow the calls', async () => {
    await rig.signIn('ada@example.test')
    const { result } = await rig.mount()
    const call = { to: rig.site.stack.contractAddress, data: '0x8da5cb5b' } as const // owner()
    // anvil looks at the price of calldata only when it mines, other nodes at once; below 21000 it refuses too.
    await rig.page.act(async () => {
      const run = result.current.signAndSend({ ...call, gas: 20_000n })
      await expect(run).rejects.toMatchObject({ code: 'gas_too_low', facts: { attestationSlug: expect.any(String) } })
    })
    expect(result.current).toMatchObject({ error: { code: 'gas_too_low' }, lastResult: null, pending: false })
    const raised = await rig.page.act(() => result.current.signAndSend({ ...call, gas: 60_000n }))
    expect(result.current).toMatchObject({ error: null, lastResult: raised })
    const estimated = await rig.page.act(() => result.current.signAndSend({ ...call, gas: 'estimate' }))
    const { client } = result.current
    const mined = await client.publicClient.waitForTransactionReceipt({ hash: estimated.txHash })
    expect(mined.status).toBe('success')
    await rig.page.act(async () => void (await result.current.signAndSend({ to: '0x' }).catch(() => undefined)))
    expect(result.current).toMatchObject({ error: { code: 'transaction_invalid' }, lastResult: estimated })
  })

  test('without React: the client asks nothing by itself, provisions nothing, and sends', async () => {
    await rig.signIn('script@example.test')
    const client = new ServiceClient(rig.config)
    await new Promise((resolve) => setTimeout(resolve, 100))
    expect(rig.page.calls).toEqual([])
    const { address } = await client.api.provisionWallet()
    expect((await client.api.getWallet()).address).toBe(address)
    await rig.fund(address)
    const { attestationSlug, txHash } = await client.signAndSend({ to, value: 7n })
    const proof = await client.waitForProof(attestationSlug)
    expect(proof).toMatchObject({ status: 'complete', txHash, walletAddress: address, kmsQuoteVerified: true })
  })

  test('no key and nothing else is kept in the browser, and only the service and the chain are asked', () => {
    const { window } = rig.page
    expect([window.localStorage.length, window.sessionStorage.length, window.document.cookie]).toEqual([0, 0, ''])
    const foreign = rig.page
      .lines()
      .filter((line) => !/^RPC eth_|^(?:GET|POST) \/(?:auth|wallet|sign|proof)\//.test(line))
    expect(foreign).toEqual([])
    expect(
      rig.page.lines().filter((line) => /subscribe|newFilter|getLogs|personal_|sign(?:Typed)?$/i.test(line)),
    ).toEqual([])
  })
})

describePolling(() => rig)

interface Tx {
  chainId: number
  nonce: number
  to: Hex
  data: Hex
  value: string
  gas: string
  maxFeePerGas: string
  maxPriorityFeePerGas: string
}
