// @vitest-environment happy-dom
import { act, cleanup, renderHook } from '@testing-library/react'
import { StrictMode, type ReactNode } from 'react'
import { parseEther } from 'viem'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { ServiceClient } from '../client/ServiceClient.js'
import { startInMemoryService, type InMemoryService } from '../testing/index.js'
import type { ServiceClientConfig } from '../types.js'
import { ServiceProvider } from './ServiceProvider.js'
import { muteFailedFetches } from './testing/muteFailedFetches.js'
import { useAttestation } from './useAttestation.js'

const realSetTimeout = globalThis.setTimeout
let service: InMemoryService
let config: ServiceClientConfig
let slugA: string
let slugB: string

beforeEach(async () => {
  muteFailedFetches()
  service = await startInMemoryService({ publishing: 'manual' })
  config = { apiBaseUrl: service.url, chainId: service.chainId, rpcUrl: service.rpcUrl }
  slugA = await sign()
  slugB = await sign()
  service.requests.length = 0
  // Only the clock of the polling stands still; HTTP is real.
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
})
afterEach(async () => {
  vi.useRealTimers()
  cleanup()
  await service.close()
})

async function sign(): Promise<string> {
  const cookie = service.signIn('ada@example.test')
  const nodeFetch: typeof fetch = async (input, init) => {
    const { default: http } = await import('node:http')
    return new Promise((resolve, reject) => {
      const headers = { ...(init?.headers as Record<string, string>), cookie, origin: service.origin }
      const request = http.request(String(input), { method: init?.method ?? 'GET', headers }, (response) => {
        let text = ''
        response.setEncoding('utf8').on('data', (part: string) => (text += part))
        response.on('end', () => resolve(new Response(text, { status: response.statusCode ?? 0 })))
      })
      request.on('error', reject).end(init?.body)
    })
  }
  const client = new ServiceClient({ ...config, fetch: nodeFetch })
  const wallet = await client.api.provisionWallet()
  service.setBalance(wallet.address, parseEther('1'))
  return (await client.signAndSend({ to: wallet.address }, wallet)).attestationSlug
}

const wrapper = ({ children }: { children: ReactNode }) => <ServiceProvider config={config}>{children}</ServiceProvider>
const strictWrapper = ({ children }: { children: ReactNode }) => <StrictMode>{wrapper({ children })}</StrictMode>
const polls = (slug: string) => service.requests.filter((line) => line === `GET /proof/${slug}`).length

function watch(slug: string | null | undefined, wrap = wrapper) {
  return renderHook(({ slug }) => useAttestation(slug), { wrapper: wrap, initialProps: { slug } })
}

/** Lets real input and output go on until the condition holds; the polling clock does not move. */
async function until(condition: () => boolean): Promise<void> {
  const end = Date.now() + 5000
  while (!condition()) {
    if (Date.now() > end) throw new Error(`condition not met: ${condition}`)
    await act(() => new Promise((resolve) => setImmediate(resolve)))
  }
}
const advance = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms))
// Long enough for a request that should not have been made to arrive.
const quiet = () => act(() => new Promise((resolve) => realSetTimeout(resolve, 80)))

test.each([null, undefined, ''])('is inert for the falsy slug %j', async (slug) => {
  const { result } = watch(slug)
  await advance(20_000)
  expect(result.current).toEqual({ proof: null, loading: false, error: null })
  expect(service.requests.filter((line) => line.includes('/proof/'))).toEqual([])
})

test('asks at once, then four seconds after the previous response, and not before', async () => {
  const { result } = watch(slugA)
  expect(result.current.loading).toBe(true)
  await until(() => result.current.proof !== null)
  expect(result.current).toMatchObject({ loading: false, error: null, proof: { slug: slugA, status: 'pending_pin' } })
  expect(polls(slugA)).toBe(1)
  await advance(3999)
  await quiet()
  expect(polls(slugA)).toBe(1)
  await advance(1)
  await until(() => polls(slugA) === 2)
})

test('the four seconds count from the response, not from the request', async () => {
  const { result } = watch(slugA)
  await until(() => result.current.proof !== null)
  service.inject({ path: `/proof/${slugA}`, delayMs: 3000 }) // the service waits on the same clock
  await advance(4000)
  await until(() => polls(slugA) === 2)
  expect(result.current.loading).toBe(true)
  await advance(3000)
  await until(() => !result.current.loading)
  await advance(3999)
  await quiet()
  expect(polls(slugA)).toBe(2)
  await advance(1)
  await until(() => polls(slugA) === 3)
})

test('follows the proof to complete and then stops', async () => {
  const { result } = watch(slugA)
  await until(() => result.current.proof?.status === 'pending_pin')
  expect(result.current.proof).toMatchObject({ ipfsCid: null, receipt: null })
  service.pin(slugA)
  await advance(4000)
  await until(() => result.current.proof?.status === 'pending_onchain')
  expect(result.current.proof?.ipfsCid).toMatch(/^bafkrei/)
  await service.complete(slugA)
  await advance(4000)
  await until(() => result.current.proof?.status === 'complete')
  const before = polls(slugA)
  await advance(60_000)
  await quiet()
  expect(polls(slugA)).toBe(before)
  expect(result.current.loading).toBe(false)
})

test.each(['pin_failed', 'onchain_failed'] as const)('stops on %s', async (status) => {
  if (status === 'onchain_failed') service.pin(slugA)
  service.fail(slugA)
  const { result } = watch(slugA)
  await until(() => result.current.proof?.status === status)
  await advance(60_000)
  await quiet()
  expect(polls(slugA)).toBe(1)
})

test('an error is shown, does not end the polling, keeps the proof, and goes with the next success', async () => {
  const { result } = watch(slugA)
  await until(() => result.current.proof !== null)
  service.inject({ path: `/proof/${slugA}`, problem: { status: 503, code: 'service_unavailable' }, times: 2 })
  for (const turn of [2, 3]) {
    await advance(4000)
    await until(() => polls(slugA) === turn && !result.current.loading)
    expect(result.current.error?.code).toBe('service_unavailable')
    expect(result.current.proof?.slug).toBe(slugA)
  }
  await advance(4000)
  await until(() => polls(slugA) === 4 && result.current.error === null)
})

test('stops on unmount, also while a request is in flight', async () => {
  service.inject({ path: `/proof/${slugA}`, delayMs: 1000 })
  const { unmount } = watch(slugA)
  await quiet()
  unmount()
  await advance(60_000)
  await quiet()
  expect(polls(slugA)).toBeLessThanOrEqual(1)
})

test('keeps its last proof when the slug becomes falsy, and stops asking', async () => {
  const { result, rerender } = watch(slugA)
  await until(() => result.current.proof !== null)
  rerender({ slug: null })
  await advance(20_000)
  await quiet()
  expect(polls(slugA)).toBe(1)
  expect(result.current).toMatchObject({ proof: { slug: slugA }, loading: false })
})

test('a change of slug asks for the new one at once and never shows the old one under its name', async () => {
  const { result, rerender } = watch(slugA)
  await until(() => result.current.proof !== null)
  rerender({ slug: slugB })
  expect(result.current).toEqual({ proof: null, loading: true, error: null })
  await until(() => result.current.proof !== null)
  expect(result.current.proof?.slug).toBe(slugB)
  await advance(4000)
  await until(() => polls(slugB) === 2)
  expect(polls(slugA)).toBe(1)
})

test('of fast slug changes only the last one counts, whichever answer comes last', async () => {
  service.inject({ path: `/proof/${slugA}`, delayMs: 500 })
  const { result, rerender } = watch(slugA)
  await quiet()
  rerender({ slug: slugB })
  await until(() => result.current.proof?.slug === slugB)
  await advance(500)
  await quiet()
  expect(result.current.proof?.slug).toBe(slugB)
})

test('under StrictMode polls once per interval', async () => {
  const { result } = watch(slugA, strictWrapper)
  await until(() => result.current.proof !== null)
  const before = polls(slugA)
  await advance(4000)
  await until(() => polls(slugA) > before)
  await quiet()
  expect(polls(slugA)).toBe(before + 1)
})
