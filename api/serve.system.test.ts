import { once } from 'node:events'
import { connect } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { ServiceError, transactionDigest } from '@perigee/core'
import type { Readiness } from './monitoring/checkReadiness.js'
import { exampleTransaction } from './testing/exampleTransaction.js'
import { startTestApi, type TestApi } from '../tests/rigs/api/startTestApi.js'

let api: TestApi
afterEach(() => api.close())

test('readiness names each dependency, and what is down', async () => {
  const up = () => Promise.resolve()
  let entropy: () => Promise<void> = up
  api = await startTestApi({ deps: { readiness: { database: up, entropy: () => entropy() } } })
  const ready = await fetch(`${api.url}/health/ready`)
  expect(ready.status).toBe(200)
  expect(await ready.json()).toMatchObject({
    status: 'ready',
    dependencies: { database: { state: 'up' }, entropy: { state: 'up' } },
  })

  entropy = () => Promise.reject(new ServiceError('entropy_unavailable', 'no entropy sample is waiting'))
  await expect.poll(async () => (await fetch(`${api.url}/health/ready`)).status).toBe(503) // an answer is shared for a moment
  const not = await fetch(`${api.url}/health/ready`)
  expect([not.status, not.headers.get('content-type')]).toEqual([503, 'application/problem+json; charset=utf-8'])
  expect(await not.json()).toMatchObject({
    code: 'service_unavailable',
    status: 503,
    dependencies: { entropy: { state: 'down', detail: 'no entropy sample is waiting' }, database: { state: 'up' } },
  })

  entropy = () => Promise.reject(new Error('connect ECONNREFUSED 10.0.0.7:5432'))
  const detail = async () => {
    const { dependencies } = (await (await fetch(`${api.url}/health/ready`)).json()) as Pick<Readiness, 'dependencies'>
    return dependencies['entropy']?.detail
  }
  await expect.poll(detail).toBe('unreachable')
  entropy = () => new Promise(() => {})
  await expect.poll(detail).toBe('no answer in time')
})

test('an API serves while Temporal is away, and does not while its database is away or it stops', async () => {
  const away = () => Promise.reject(new Error('connect ECONNREFUSED'))
  let database: () => Promise<void> = () => Promise.resolve()
  api = await startTestApi({ deps: { readiness: { database: () => database(), temporal: away } } })
  const status = async () => (await fetch(`${api.url}/health/serving`)).status
  expect((await fetch(`${api.url}/health/ready`)).status).toBe(503)
  expect(await status()).toBe(200)
  database = away
  await expect.poll(status).toBe(503)
  database = () => Promise.resolve()
  await expect.poll(status).toBe(200)
  const closed = api.api.close(20_000, 1_000)
  expect(await status()).toBe(503)
  await closed
})

test('an API whose build is not listed never serves; one that has attested itself serves on when the list expires', async () => {
  const refused = () => Promise.reject(new ServiceError('measurement_unknown', 'this build is not on the list'))
  let attestation: () => Promise<void> = refused
  const readiness = { database: () => Promise.resolve(), attestation: () => attestation() }
  api = await startTestApi({ deps: { readiness } })
  const serving = () => fetch(`${api.url}/health/serving`)
  const status = async () => (await serving()).status
  const first = await serving()
  expect(first.status).toBe(503)
  expect(await first.json()).toMatchObject({
    dependencies: {
      database: { state: 'up' },
      attestation: { state: 'down', detail: 'this build is not on the list' },
    },
  })
  attestation = () => Promise.resolve()
  await expect.poll(status).toBe(200)
  attestation = refused
  await expect.poll(async () => (await fetch(`${api.url}/health/ready`)).status).toBe(503)
  await new Promise((resolve) => setTimeout(resolve, 600)) // an answer is shared for half a second
  expect(await status()).toBe(200)
})

test('an API that Temporal refuses does not serve until it is let in once, and serves on when it is refused later', async () => {
  const refused = () => Promise.reject(new ServiceError('service_unavailable', 'Temporal refuses this process'))
  let temporalAccess: () => Promise<void> = refused
  const readiness = { database: () => Promise.resolve() }
  api = await startTestApi({ deps: { readiness, temporalAccess: () => temporalAccess() } })
  const serving = () => fetch(`${api.url}/health/serving`)
  const status = async () => (await serving()).status
  const first = await serving()
  expect(first.status).toBe(503)
  expect(await first.json()).toMatchObject({ dependencies: { temporalAccess: { state: 'down' } } })
  temporalAccess = () => Promise.resolve()
  await expect.poll(status).toBe(200)
  temporalAccess = refused
  await new Promise((resolve) => setTimeout(resolve, 600)) // an answer is shared for half a second
  expect(await status()).toBe(200)
})

test('many who ask for readiness at once ask each dependency once', async () => {
  let asked = 0
  const readiness = { database: async () => void (asked += 1) }
  api = await startTestApi({ deps: { readiness } })
  const answers = await Promise.all(Array.from({ length: 40 }, () => fetch(`${api.url}/health/ready`)))
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
  expect(asked).toBeGreaterThan(0)
  expect(asked).toBeLessThan(10) // a busy machine may take longer than an answer is shared
})

test('shutting down finishes what is in flight, ends streams and takes nothing new', async () => {
  api = await startTestApi()
  const browser = await api.signIn('late@example.test')
  await api.post(browser, '/wallet/provision')
  const request = { digest: transactionDigest(exampleTransaction), txMetadata: exampleTransaction }
  const { slug } = (await (await api.post(browser, '/sign/digest', request)).json()) as { slug: string }
  const stream = (await fetch(`${api.url}/proof/${slug}/events`)).body?.pipeThrough(new TextDecoderStream()).getReader()
  let streamed = ''
  const read = async () => {
    const { done = true, value = '' } = (await stream?.read()) ?? {}
    streamed += value
    return done
  }
  while (!streamed.includes('pending_pin')) expect(await read()).toBe(false)

  let started = () => {}
  const signing = new Promise<void>((resolve) => (started = resolve))
  let finish = () => {}
  api.signer.beforeSign = () => {
    started()
    return new Promise((resolve) => (finish = resolve))
  }
  const later = { ...exampleTransaction, nonce: 9 }
  const inFlight = api.post(browser, '/sign/digest', { digest: transactionDigest(later), txMetadata: later })
  await signing

  const closed = api.api.close(20_000)
  while (!(await read())) continue // until it ends
  await expect(fetch(`${api.url}/health`)).rejects.toThrow()
  finish()
  expect((await inFlight).status).toBe(200)
  const answered = Date.now()
  await closed // at once: nothing is in flight, only an idle keep-alive connection is left
  expect(Date.now() - answered).toBeLessThan(5_000)
})

test('while draining it reports not ready, and still serves clients that have not noticed', async () => {
  api = await startTestApi({ deps: { readiness: {} } })
  expect((await fetch(`${api.url}/health/ready`)).status).toBe(200)
  const closed = api.api.close(20_000, 1_000)
  expect((await fetch(`${api.url}/health/ready`)).status).toBe(503)
  const late = await fetch(`${api.url}/health`)
  expect([late.status, late.headers.get('connection')]).toEqual([200, 'close'])
  await closed
  await expect(fetch(`${api.url}/health`)).rejects.toThrow()
})

test.each([
  ['GET /health HTTP/1.1\r\nconnection: close\r\n\r\n', 400, 'invalid_request'],
  ['GET /health HTTP/1.1\r\nhost: a\r\nhost: b\r\nconnection: close\r\n\r\n', 400, 'invalid_request'],
  [`GET /proof/${'a'.repeat(20_000)} HTTP/1.1\r\nhost: a\r\n\r\n`, 431, 'headers_too_large'],
])('a request that does not reach the routes is answered with a problem too: %#', async (request, status, code) => {
  api = await startTestApi()
  const socket = connect(Number(new URL(api.url).port), '127.0.0.1').setEncoding('utf8')
  let answer = ''
  socket.on('data', (chunk: string) => (answer += chunk)).write(request)
  await once(socket, 'close')
  expect(answer.toLowerCase()).toContain('\r\ncontent-type: application/problem+json; charset=utf-8\r\n')
  expect(JSON.parse(answer.split('\r\n\r\n')[1] ?? '')).toMatchObject({ status, code })
})
