import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { ServiceError } from '../errors/ServiceError.js'
import { startInMemoryService, type InMemoryService } from '../testing/index.js'
import { ServiceClient } from './ServiceClient.js'

let service: InMemoryService
let client: ServiceClient
let impatient: ServiceClient

beforeEach(async () => {
  service = await startInMemoryService()
  const cookie = service.signIn('ada@example.test')
  const open = (timeoutMs: number) =>
    new ServiceClient({
      apiBaseUrl: service.url,
      chainId: service.chainId,
      rpcUrl: service.rpcUrl,
      timeoutMs,
      fetch: (input, init) => fetch(input, { ...init, headers: { ...init?.headers, cookie, origin: service.origin } }),
    })
  client = open(30_000)
  impatient = open(300)
})
afterEach(() => service.close())

const count = (line: string) => service.requests.filter((entry) => entry === line).length

describe('errors', () => {
  test('problem+json becomes a ServiceError with code, status, request id, message and remedy', async () => {
    const problem = { status: 422, code: 'chain_not_allowed', detail: 'Chain 5 is not served.' }
    service.inject({ path: '/wallet/me', problem })
    const error = await client.api.getWallet().catch((caught: unknown) => caught)
    expect(error).toBeInstanceOf(ServiceError)
    expect(error).toMatchObject({ code: 'chain_not_allowed', status: 422, message: 'Chain 5 is not served.' })
    expect((error as ServiceError).requestId).toMatch(/^[0-9a-f-]{36}$/)
    expect((error as ServiceError).remedy).toMatch(/chain/)
  })
  test('facts are the service’s own, and nothing else of the answer', async () => {
    const problem = { status: 429, code: 'share_exceeded', retryAfterSeconds: 60, facts: { share: 'sign', used: 3 } }
    service.inject({ path: '/wallet/me', problem })
    const exceeded = await client.api.getWallet().catch((caught: unknown) => caught as ServiceError)
    expect(exceeded).toMatchObject({ code: 'share_exceeded', status: 429, retryAfterMs: 60_000 })
    expect((exceeded as ServiceError).facts).toEqual({ share: 'sign', used: 3 })
    service.inject({ path: '/wallet/me', problem: { status: 422, code: 'chain_not_allowed' } })
    await expect(client.api.getWallet()).rejects.toMatchObject({ facts: {} })
  })
  test('a code that this version does not know passes through', async () => {
    service.inject({ path: '/auth/me', problem: { status: 418, code: 'teapot' } })
    await expect(client.api.me()).rejects.toMatchObject({ code: 'teapot', status: 418, retryable: false })
  })
  test('a service that is down is a network_error, a slow one a timeout', async () => {
    service.inject({ path: '/proof/x', delayMs: 800 })
    await expect(impatient.api.getProof('x')).rejects.toMatchObject({ code: 'timeout', status: null })
    await service.close()
    await expect(client.api.getProof('x')).rejects.toMatchObject({ code: 'network_error', status: null })
  })
  test('an abort is told apart from a timeout', async () => {
    service.inject({ path: '/proof/x', delayMs: 200 })
    const controller = new AbortController()
    const run = client.api.getProof('x', controller.signal)
    controller.abort()
    await expect(run).rejects.toMatchObject({ code: 'aborted' })
  })
  test.each([
    ['a page that is not JSON', '<html>'],
    ['JSON of another shape', '{"hello":1}'],
    ['null', 'null'],
  ])('%s from a wrong host is a bad_response', async (_, body) => {
    const server = createServer((_request, response) => response.end(body))
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const apiBaseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    const wrong = new ServiceClient({ apiBaseUrl, chainId: 11155111 })
    await expect(wrong.api.me()).rejects.toMatchObject({ code: 'bad_response' })
    server.close()
    server.closeAllConnections()
  })
  test('an error page of a proxy keeps its status', async () => {
    const server = createServer((_request, response) => response.writeHead(500).end('<h1>oops</h1>'))
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const apiBaseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    const wrong = new ServiceClient({ apiBaseUrl, chainId: 11155111 })
    await expect(wrong.api.me()).rejects.toMatchObject({ code: 'http_error', status: 500 })
    server.close()
    server.closeAllConnections()
  })
})

describe('retries', () => {
  test('asks again after a 503 and takes the answer that then comes', async () => {
    service.inject({
      path: '/auth/me',
      problem: { status: 503, code: 'service_unavailable', retryAfterSeconds: 0 },
      times: 2,
    })
    expect((await client.api.me()).email).toBe('ada@example.test')
    expect(count('GET /auth/me')).toBe(3)
  })
  test('gives up after three attempts', async () => {
    service.inject({ path: '/auth/me', problem: { status: 503, code: 'enclave_busy', retryAfterSeconds: 0 }, times: 9 })
    await expect(client.api.me()).rejects.toMatchObject({ code: 'enclave_busy' })
    expect(count('GET /auth/me')).toBe(3)
  })
  test('does not wait longer than it should for a rate limit', async () => {
    service.inject({ path: '/auth/me', problem: { status: 429, code: 'rate_limited', retryAfterSeconds: 60 } })
    await expect(client.api.me()).rejects.toMatchObject({ code: 'rate_limited', retryAfterMs: 60_000 })
    expect(count('GET /auth/me')).toBe(1)
  })
  test('never repeats what was refused, nor a logout, nor a proof request (polling does that)', async () => {
    service.inject({ path: '/wallet/provision', problem: { status: 422, code: 'digest_mismatch' } })
    await expect(client.api.provisionWallet()).rejects.toMatchObject({ code: 'digest_mismatch' })
    const busy = { status: 503, code: 'service_unavailable', retryAfterSeconds: 0 }
    service.inject({ path: '/auth/logout', problem: busy })
    await expect(client.api.logout()).rejects.toMatchObject({ status: 503 })
    service.inject({ path: '/proof/x', problem: busy })
    await expect(client.api.getProof('x')).rejects.toMatchObject({ status: 503 })
    for (const line of ['POST /wallet/provision', 'POST /auth/logout', 'GET /proof/x']) expect(count(line)).toBe(1)
  })
  test('a lost answer to provisioning leaves one wallet', async () => {
    service.inject({ path: '/wallet/provision', loseAnswer: true })
    const wallet = await client.api.provisionWallet()
    expect(await client.api.getWallet()).toEqual(wallet)
  })
})
