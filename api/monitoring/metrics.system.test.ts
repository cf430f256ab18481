import { afterAll, beforeAll, expect, test } from 'vitest'
import { ServiceError, transactionDigest } from '@perigee/core'
import { openDatabase } from '../../database/index.js'
import { freshDatabase } from '../../tests/harness/index.js'
import { exampleTransaction } from '../testing/exampleTransaction.js'
import { noLimits } from '../../tests/rigs/api/noLimits.js'
import { startTestApi, webOrigin, type TestApi } from '../../tests/rigs/api/startTestApi.js'
import { createMeter } from './createMeter.js'
import { serveMetrics } from './serveMetrics.js'

let api: TestApi
let scraped: { port: number; close(): Promise<void> }
beforeAll(async () => {
  const fresh = await freshDatabase()
  const database = await openDatabase({ url: fresh.url, poolSize: 2 })
  const meter = createMeter(database)
  scraped = await serveMetrics(meter.registry, { host: '127.0.0.1', port: 0 })
  api = await startTestApi({
    deps: { meter },
    settings: { rateLimits: { ...noLimits, attestation: { perSecond: 0.1, burst: 1 } } },
  })
  return async () => {
    await database.destroy()
    await fresh.drop()
  }
})
afterAll(async () => {
  await scraped.close()
  await api.close()
})

const scrape = async () => (await fetch(`http://127.0.0.1:${scraped.port}/metrics`)).text()

test('counts requests, signatures and refusals, by route and never by id', async () => {
  // Counters that an alert watches start at zero.
  const atStart = await scrape()
  expect(atStart).toContain('rate_limited_total{limit="entropy"} 0')
  for (const outcome of ['released', 'refused', 'failed', 'abandoned'])
    expect(atStart).toContain(`sign_requests_total{outcome="${outcome}"} 0`)
  const browser = await api.signIn('metered@example.test')
  await api.post(browser, '/wallet/provision')
  const request = { digest: transactionDigest(exampleTransaction), txMetadata: exampleTransaction }
  const { slug } = (await (await api.post(browser, '/sign/digest', request)).json()) as { slug: string }
  await api.post(browser, '/sign/digest', { ...request, digest: `0x${'00'.repeat(32)}` })
  await fetch(`${api.url}/proof/${slug}`)
  await fetch(`${api.url}/proof/${slug}`)
  await fetch(`${api.url}/nowhere-${slug}`, { method: 'PROPFIND' })
  for (let i = 0; i < 2; i++) await fetch(`${api.url}/health/attestation`)

  const text = await scrape()
  expect(text).toContain('http_requests_total{method="GET",route="/proof/:slug",status="200"} 2')
  expect(text).toContain('http_requests_total{method="other",route="none",status="404"} 1')
  expect(text).toContain('sign_requests_total{outcome="released"} 1')
  expect(text).toContain('sign_requests_total{outcome="refused"} 1')
  expect(text).toContain('sign_errors_total{code="digest_mismatch"} 1')
  expect(text).toContain('rate_limited_total{limit="attestation"} 1')
  expect(text).toMatch(/http_request_duration_seconds_bucket\{le="0.1",method="POST",route="\/sign\/digest"\} \d/)
  expect(text).toContain('http_requests_in_flight 0')
  expect(text).toMatch(/database_connections\{state="idle"\} [12]\n/)
  expect(text).toMatch(/nodejs_eventloop_lag_p99_seconds \d/)
  expect(text).toMatch(/process_resident_memory_bytes \d/)
  for (const secret of [slug, 'metered', request.digest]) expect(text).not.toContain(secret)
})

test('a sign request that fails by our fault, or that its caller gave up, is no success', async () => {
  const count = async (outcome: string) =>
    Number(new RegExp(`sign_requests_total\\{outcome="${outcome}"\\} (\\d+)`).exec(await scrape())?.[1])
  const browser = await api.signIn('waits@example.test')
  await api.post(browser, '/wallet/provision')
  const [released, failed, abandoned] = [await count('released'), await count('failed'), await count('abandoned')]
  const signNext = (nonce: number) => {
    const transaction = { ...exampleTransaction, nonce }
    return { digest: transactionDigest(transaction), txMetadata: transaction }
  }

  const ours = [
    'measurement_unknown',
    'enclave_busy',
    'coordinator_expired',
    'request_expired',
    'entropy_reused',
  ] as const
  for (const [index, code] of ours.entries()) {
    api.signer.beforeSign = () => Promise.reject(new ServiceError(code, 'not now'))
    await api.post(browser, '/sign/digest', signNext(20 + index))
    expect(await scrape()).toContain(`sign_errors_total{code="${code}"} 1`)
  }
  expect(await count('failed')).toBe(failed + ours.length)

  const hangs = new Promise<void>((resolve) => {
    api.signer.beforeSign = () => {
      resolve()
      return new Promise(() => {})
    }
  })
  const leave = new AbortController()
  const asked = browser.fetch(`${api.url}/sign/digest`, {
    method: 'POST',
    headers: { origin: webOrigin, 'content-type': 'application/json' },
    body: JSON.stringify(signNext(30)),
    signal: leave.signal,
  })
  await hangs
  leave.abort()
  await expect(asked).rejects.toThrow()
  await expect.poll(() => count('abandoned')).toBe(abandoned + 1)
  expect(await count('released')).toBe(released)
})

test('made-up paths and methods add no series', async () => {
  const before = (await scrape()).split('\n').filter((line) => line.startsWith('http_requests_total')).length
  for (let i = 0; i < 50; i++) await fetch(`${api.url}/made-up-${i}`, { method: i % 2 ? 'GET' : `X${i}` })
  const after = (await scrape()).split('\n').filter((line) => line.startsWith('http_requests_total')).length
  expect(after).toBeLessThanOrEqual(before + 2) // GET that finds nothing, and methods that are not HTTP
})

test('metrics are on their own port only', async () => {
  expect((await fetch(`${api.url}/metrics`)).status).toBe(404)
  expect((await fetch(`http://127.0.0.1:${scraped.port}/`)).status).toBe(404)
})
