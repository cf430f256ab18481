import type { ServerResponse } from 'node:http'
import { inspect } from 'node:util'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { verifyEntropySample, type EntropyTrust } from '@perigee/core/entropy'
import { clientId, clientSecret, startOrbitport, type TestOrbitport } from '../testing/startOrbitport.js'
import type { OrbitportConfig } from './config.js'
import { createOrbitportSource } from './createOrbitportSource.js'

let peer: TestOrbitport
beforeEach(async () => {
  peer = await startOrbitport()
})
afterEach(() => peer.close())

const asserted: EntropyTrust = {
  minimum: 'operator-asserted',
  freshnessSeconds: 600,
  keys: {},
  assertedSources: ['orbitport'],
}
const pinned = (): EntropyTrust => ({ ...asserted, keys: { 'sat-1': peer.key } })
const at = (): number => Math.floor(Date.now() / 1000)
const client = (secret = clientSecret): OrbitportConfig['auth'] => ({
  kind: 'client-credentials',
  tokenUrl: `${peer.url}/oauth/token`,
  clientId,
  clientSecret: secret,
  audience: 'a',
})

function open(
  config: Partial<OrbitportConfig> = {},
  trust = asserted,
  options: { timeoutMs?: number; now?: () => number } = {},
) {
  const defaults = { url: peer.url, protocol: 'rest' as const, src: '', samplesPerDay: 1500 }
  return createOrbitportSource({
    config: { ...defaults, auth: { kind: 'token', token: peer.issue() }, ...config },
    trust,
    timeoutMs: 2_000,
    ...options,
  })
}

test('REST: a signature by a pinned key makes the sample satellite-signature-verified', async () => {
  const [sample] = await open({ src: 'aptosorbital' }, pinned()).fetch(1)
  expect(peer.state.lastUrl).toBe('/api/v1/services/trng?src=aptosorbital')
  expect(sample).toMatchObject({ signature: { keyId: 'sat-1' }, producedAt: null, sequence: null })
  const strict: EntropyTrust = { ...pinned(), minimum: 'satellite-signature-verified' }
  await expect(verifyEntropySample(sample!, strict, at())).resolves.toMatchObject({ provenance: strict.minimum })
})

test('REST: a signature without a pinned key leaves the sample operator-asserted', async () => {
  const [sample] = await open().fetch(1)
  expect(sample).toMatchObject({ provenance: 'operator-asserted', signature: null })
  await expect(verifyEntropySample(sample!, asserted, at())).resolves.toBeTruthy()
})

test('REST: an empty signature is no signature', async () => {
  await peer.close()
  peer = await startOrbitport({ signed: false })
  const [sample] = await open({}, pinned()).fetch(1)
  expect(sample).toMatchObject({ provenance: 'operator-asserted', signature: null })
  const strict: EntropyTrust = { ...pinned(), minimum: 'beacon-verified' }
  await expect(verifyEntropySample(sample!, strict, at())).rejects.toMatchObject({ code: 'entropy_untrusted' })
})

test('REST: a signature by another key than the pinned one is refused', async () => {
  const stranger = await startOrbitport()
  const trust = { ...asserted, keys: { 'sat-1': stranger.key } }
  await expect(open({}, trust).fetch(1)).rejects.toMatchObject({ code: 'entropy_invalid' })
  await stranger.close()
})

test('JSON-RPC: gives as many unsigned samples as asked for', async () => {
  const samples = await open({ protocol: 'rpc' }).fetch(10)
  expect(new Set(samples.map((sample) => sample.value)).size).toBe(10)
  expect(samples.every((sample) => sample.provenance === 'operator-asserted' && sample.signature === null)).toBe(true)
})

test('JSON-RPC: an error inside HTTP 200 is a failure', async () => {
  await expect(open({ protocol: 'rpc' }).fetch(11)).rejects.toMatchObject({
    code: 'entropy_unavailable',
    facts: { reason: 'rpc_error', rpcCode: -32602 },
  })
})

test('client credentials: many requests share one token request', async () => {
  peer.state.tokenDelayMs = 50
  const source = open({ auth: client(), protocol: 'rpc' })
  await Promise.all(Array.from({ length: 8 }, () => source.fetch(1)))
  await source.fetch(1)
  expect(peer.state.tokenRequests).toBe(1)
})

test('client credentials: the token is renewed a minute before it expires', async () => {
  let shift = 0
  const source = open({ auth: client() }, asserted, { now: () => Date.now() + shift })
  await source.fetch(1)
  shift = 3_530_000
  await source.fetch(1)
  expect(peer.state.tokenRequests).toBe(1)
  shift = 3_545_000
  await source.fetch(1)
  expect(peer.state.tokenRequests).toBe(2)
})

test('client credentials: a token revoked early is replaced once, not again and again', async () => {
  const source = open({ auth: client() })
  await source.fetch(1)
  peer.revokeAll()
  await expect(source.fetch(1)).resolves.toHaveLength(1)
  expect(peer.state.tokenRequests).toBe(2)
  peer.fail((_, response) => void response.writeHead(401).end('Unauthorized'))
  await expect(source.fetch(1)).rejects.toMatchObject({ facts: { reason: 'credentials', httpStatus: 401 } })
  expect(peer.state.tokenRequests).toBe(3)
})

test('wrong credentials fail without the secret in the error', async () => {
  const error: unknown = await open({ auth: client('wrong-secret-2') })
    .fetch(1)
    .catch((caught: unknown) => caught)
  expect(error).toMatchObject({ code: 'entropy_unavailable', facts: { reason: 'credentials', step: 'token' } })
  expect(inspect(error, { depth: 10 })).not.toContain('wrong-secret-2')
})

test('an expired token is not retried: there is no other', async () => {
  await expect(open({ auth: { kind: 'token', token: 'expired' } }).fetch(1)).rejects.toMatchObject({
    facts: { reason: 'credentials' },
  })
  expect(peer.state.dataRequests).toBe(1)
})

test.each([
  [402, 'credits'],
  [403, 'credentials'],
  [500, 'refused'],
  [503, 'refused'],
  [302, 'refused'],
])('HTTP %i is entropy_unavailable: %s', async (status, reason) => {
  peer.fail(
    (_, response) => void response.writeHead(status, { location: 'http://127.0.0.1:9/' }).end('Failed to get trng'),
  )
  await expect(open().fetch(1)).rejects.toMatchObject({
    code: 'entropy_unavailable',
    facts: { reason, httpStatus: status },
  })
})

test('429 carries Retry-After, in seconds or as a date; nonsense is ignored', async () => {
  const limited = (value: string | null) =>
    peer.fail(
      (_, response) => void response.writeHead(429, value === null ? {} : { 'retry-after': value }).end('slow down'),
    )
  limited('17')
  await expect(open().fetch(1)).rejects.toMatchObject({ facts: { reason: 'rate_limited', retryAfterSeconds: 17 } })
  limited(new Date(Date.now() + 30_000).toUTCString())
  const error = (await open()
    .fetch(1)
    .catch((caught: unknown) => caught)) as { facts: Record<string, number> }
  expect(error.facts.retryAfterSeconds).toBeGreaterThan(20)
  for (const nonsense of ['soon', null]) {
    limited(nonsense)
    const { facts } = (await open()
      .fetch(1)
      .catch((caught: unknown) => caught)) as { facts: object }
    expect(facts).not.toHaveProperty('retryAfterSeconds')
  }
})

test.each([
  ['hangs', () => undefined],
  ['stops in the middle', (response: ServerResponse) => void response.writeHead(200).write('{"da')],
  [
    'drips',
    (response: ServerResponse) => {
      const timer = setInterval(() => response.write(' '), 50)
      response.on('close', () => clearInterval(timer))
    },
  ],
  ['closes the connection', (response: ServerResponse) => void response.destroy()],
])('a peer that %s is unavailable within the deadline', async (_, act) => {
  peer.fail((_request, response) => act(response))
  const started = Date.now()
  await expect(open({}, asserted, { timeoutMs: 300 }).fetch(1)).rejects.toMatchObject({ code: 'entropy_unavailable' })
  expect(Date.now() - started).toBeLessThan(3_000)
})

test.each([
  ['text', 'Request body deserialize error: missing field `version`'],
  ['an array', '[]'],
  ['null', 'null'],
  ['no value', '{"service":"trng"}'],
  ['a short value', '{"data":"00ff"}'],
  ['a number as value', '{"data":5}'],
  ['a signature that is no object', `{"data":"${'ab'.repeat(32)}","signature":"aa"}`],
  ['a signature that is no hex', `{"data":"${'ab'.repeat(32)}","signature":{"value":"zz"}}`],
  ['broken UTF-8', Buffer.from([0x22, 0xff, 0x22])],
  ['far too much', Buffer.alloc(200_000, 0x20)],
])('REST: an answer with %s is entropy_invalid', async (_, body) => {
  peer.fail((_request, response) => void response.writeHead(200).end(body))
  await expect(open().fetch(1)).rejects.toMatchObject({ code: 'entropy_invalid' })
})

test.each([
  ['no result', '{"jsonrpc":"2.0","id":1}'],
  ['another id', `{"jsonrpc":"2.0","id":2,"result":{"items":[{"value":"${'ab'.repeat(32)}"}]}}`],
  ['no items', '{"jsonrpc":"2.0","id":1,"result":{"items":[]}}'],
  [
    'more items than asked for',
    `{"jsonrpc":"2.0","id":1,"result":{"items":[{"value":"${'ab'.repeat(32)}"},{"value":"${'cd'.repeat(32)}"}]}}`,
  ],
  ['a short value', '{"jsonrpc":"2.0","id":1,"result":{"items":[{"value":"ab"}]}}'],
])('JSON-RPC: an answer with %s is entropy_invalid', async (_, body) => {
  peer.fail((_request, response) => void response.writeHead(200).end(body))
  await expect(open({ protocol: 'rpc' }).fetch(1)).rejects.toMatchObject({ code: 'entropy_invalid' })
})
