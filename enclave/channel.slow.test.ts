import { readdirSync, readFileSync } from 'node:fs'
import { request } from 'node:https'
import { createHash, X509Certificate } from 'node:crypto'
import type { SignTransactionRequest } from '@perigee/core/enclave'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createEnclaveClient } from '../clients/enclave/createEnclaveClient.js'
import { createTestWorld, randomHex, type TestWorld } from './testing/createTestWorld.js'
import { createKeyRequest, signMessageRequest, signRequest, walletOf } from './testing/requests.js'
import { permit } from '../core/message/testing/typedData.js'
import { serveEnclave } from '../clients/enclave/testing/serveEnclave.js'
import { buildBundle, startEnclave, type RunningEnclave } from './testing/startEnclave.js'

let world: TestWorld
let strangers: TestWorld
let bundle: Awaited<ReturnType<typeof buildBundle>>
beforeAll(async () => {
  ;[world, strangers] = await Promise.all([createTestWorld(), createTestWorld()])
  bundle = await buildBundle(world.dir)
})
afterAll(() => {
  world.remove()
  strangers.remove()
})

const keyHash = (pem: Buffer) =>
  createHash('sha256')
    .update(new X509Certificate(pem).publicKey.export({ type: 'spki', format: 'der' }))
    .digest('hex')
/** A plain request, to say what no client of ours would. */
function raw(url: string, options: { method?: string; path?: string; body?: string; tls?: object }): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const { method = 'POST', path = '/sign-transaction', body = '', tls = world.tls } = options
    const outgoing = request(new URL(path, url), { ...tls, method, agent: false }, (response) => {
      let text = ''
      response.on('data', (chunk: Buffer) => (text += chunk.toString('utf8')))
      response.on('end', () => resolve({ status: response.statusCode, ...(JSON.parse(text) as object) }))
    })
    outgoing.on('error', reject)
    outgoing.end(body)
  })
}

describe('the door', () => {
  let enclave: Awaited<ReturnType<typeof serveEnclave>>
  beforeAll(async () => {
    enclave = await serveEnclave(world)
  })
  afterAll(() => enclave.close())

  test('is closed to a client without a certificate', async () => {
    const { ca } = world.tls
    const client = createEnclaveClient({ url: enclave.url, ca } as Parameters<typeof createEnclaveClient>[0])
    await expect(client.info()).rejects.toMatchObject({ code: 'client_not_authenticated' })
    client.close()
  })

  test('is closed to a certificate of another issuer', async () => {
    const client = createEnclaveClient({ url: enclave.url, ...strangers.tls, ca: world.tls.ca })
    await expect(client.createKey(createKeyRequest(world))).rejects.toMatchObject({
      code: expect.stringMatching(/^(client_not_authenticated|enclave_unreachable)$/),
    })
    client.close()
  })

  test('is closed to the enclave’s own certificate, which is not a client’s', async () => {
    const tls = { cert: readFileSync(world.channel.serverCert), key: readFileSync(world.channel.serverKey) }
    await expect(raw(enclave.url, { tls: { ...tls, ca: world.tls.ca } })).rejects.toThrow()
  })

  test('speaks TLS 1.3 and nothing older', async () => {
    await expect(raw(enclave.url, { tls: { ...world.tls, maxVersion: 'TLSv1.2' } })).rejects.toThrow()
  })

  test('refuses a client whose key is not pinned, though its issuer is', async () => {
    const pinned = await serveEnclave(world, { ENCLAVE_CLIENT_KEYS: 'ab'.repeat(32) })
    await expect(pinned.client.createKey(createKeyRequest(world))).rejects.toMatchObject({
      code: 'client_not_authenticated',
    })
    await pinned.close()
    const mine = await serveEnclave(world, { ENCLAVE_CLIENT_KEYS: keyHash(world.tls.cert) })
    await expect(mine.client.createKey(createKeyRequest(world))).resolves.toBeDefined()
    await mine.close()
  })

  test('signs any text that the API takes, control characters too', async () => {
    const created = createKeyRequest(world)
    const wallet = walletOf(created, await enclave.client.createKey(created))
    const typedData = {
      ...permit,
      types: { Note: [{ name: 'text', type: 'string' }] },
      primaryType: 'Note',
      message: { text: `next line\u0085 and delete\u007f` },
    }
    const request = signMessageRequest(wallet, world, { scheme: 'eip712', typedData })
    await expect(enclave.client.signMessage(request)).resolves.toMatchObject({ signature: expect.any(String) })
  })

  test('has no other operation, and bounds what it reads', async () => {
    expect(await raw(enclave.url, { path: '/sign-digest', body: '{}' })).toMatchObject({
      status: 404,
      code: 'not_found',
    })
    expect(await raw(enclave.url, { path: '/__proto__', body: '{}' })).toMatchObject({ code: 'not_found' })
    expect(await raw(enclave.url, { body: '{' })).toMatchObject({ status: 400, code: 'invalid_request' })
    expect(await raw(enclave.url, { body: 'null' })).toMatchObject({ code: 'invalid_request' })
    const twice = JSON.stringify(createKeyRequest(world)).replace('{', `{"nonce":"0x${'00'.repeat(32)}",`)
    expect(await raw(enclave.url, { path: '/create-key', body: twice })).toMatchObject({ code: 'invalid_request' })
    expect(await raw(enclave.url, { body: ' '.repeat(300_000) })).toMatchObject({
      status: 413,
      code: 'payload_too_large',
    })
  })
})

describe('the client', () => {
  test('speaks to no enclave of another issuer', async () => {
    const impostor = await serveEnclave(strangers)
    const client = createEnclaveClient({ url: impostor.url, ...world.tls })
    await expect(client.createKey(createKeyRequest(world))).rejects.toMatchObject({
      code: 'enclave_unreachable',
    })
    client.close()
    await impostor.close()
  })

  test('speaks only to the pinned key when one is pinned', async () => {
    const enclave = await serveEnclave(world)
    const wrong = createEnclaveClient({ url: enclave.url, ...world.tls, serverKeys: ['ab'.repeat(32)] })
    await expect(wrong.createKey(createKeyRequest(world))).rejects.toMatchObject({ code: 'enclave_refused' })
    const right = createEnclaveClient({
      url: enclave.url,
      ...world.tls,
      serverKeys: [keyHash(readFileSync(world.channel.serverCert))],
    })
    await expect(right.createKey(createKeyRequest(world))).resolves.toBeDefined()
    for (const client of [wrong, right]) client.close()
    await enclave.close()
  })

  test('is told enclave_busy when too many quotes wait, and when one takes too long', async () => {
    const slow = new Promise<never>(() => undefined)
    const settings = { ENCLAVE_QUOTES_CONCURRENT: '1', ENCLAVE_QUOTES_QUEUED: '1', ENCLAVE_DEADLINE_MS: '300' }
    const enclave = await serveEnclave(world, settings, { quote: () => slow })
    const ask = () => enclave.client.createKey(createKeyRequest(world)).catch((error: { code: string }) => error.code)
    expect(await Promise.all([ask(), ask(), ask(), ask()])).toEqual(Array(4).fill('enclave_busy'))
    await enclave.close()
  })
})

describe('an enclave that is killed', () => {
  let enclave: RunningEnclave
  const running: RunningEnclave[] = []
  const start = async (port = 0) => {
    enclave = await startEnclave(bundle.file, { ...world.env, ENCLAVE_PORT: String(port) })
    running.push(enclave)
    return enclave
  }
  afterAll(() => Promise.all(running.map((each) => each.stop('SIGKILL'))))

  test('in the middle of a request leaves enclave_unreachable, and the retry gives the same bytes', async () => {
    const { port } = await start()
    const client = createEnclaveClient({ url: `https://127.0.0.1:${port}`, ...world.tls })
    const create = createKeyRequest(world)
    const request = signRequest(walletOf(create, await client.createKey(create)), world)
    const expected = (await client.signTransaction(request)).signature
    const retry = (): SignTransactionRequest => ({ ...request, nonce: randomHex(32) })

    enclave.process.kill('SIGSTOP') // it has the connection but will never answer
    const lost = client.signTransaction(retry())
    lost.catch(() => undefined)
    await new Promise((resolve) => setTimeout(resolve, 100))
    await enclave.stop('SIGKILL')
    await expect(lost).rejects.toMatchObject({ code: 'enclave_unreachable', retryable: true })
    await expect(client.signTransaction(retry())).rejects.toMatchObject({ code: 'enclave_unreachable' })

    await start(port)
    expect((await client.signTransaction(retry())).signature).toBe(expected)
    client.close()
  })

  test('or stands still does not hold its caller beyond the deadline', async () => {
    const { port } = await start()
    const options = { url: `https://127.0.0.1:${port}`, ...world.tls }
    const [patient, client] = [createEnclaveClient(options), createEnclaveClient({ ...options, deadlineMs: 500 })]
    await patient.info()
    enclave.process.kill('SIGSTOP')
    const before = performance.now()
    await expect(client.info()).rejects.toMatchObject({ code: 'enclave_unreachable' })
    expect(performance.now() - before).toBeLessThan(15_000) // the deadline of a client that is given none
    for (const each of [patient, client]) each.close()
  })

  test('says at start what it is, with the hash that its build printed, and ends cleanly when asked', async () => {
    const { started, stop } = await start()
    expect(started).toMatchObject({ platform: 'simulated', simulated: true, bundleSha256: bundle.sha256 })
    await stop()
    expect(enclave.process.exitCode).toBe(0)
  })

  test.runIf(process.platform === 'linux')('takes less than 120 MB when idle', async () => {
    const { process: child, port } = await start()
    const client = createEnclaveClient({ url: `https://127.0.0.1:${port}`, ...world.tls })
    await client.createKey(createKeyRequest(world))
    const status = readFileSync(`/proc/${child.pid}/status`, 'utf8')
    const residentMb = Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1]) / 1024
    console.log(`idle enclave: ${residentMb.toFixed(0)} MB resident`)
    expect(residentMb).toBeLessThan(120)
    client.close()
  })

  test('or was never given its settings names every one of them', async () => {
    const { ENCLAVE_PORT: _, ENCLAVE_TLS_KEY: __, ...env } = world.env
    await expect(startEnclave(bundle.file, { ...env, ENTROPY_MINIMUM: 'some' })).rejects.toThrow(
      /ENTROPY_MINIMUM.*\n.*ENCLAVE_PORT.*\n.*ENCLAVE_TLS_KEY/,
    )
  })

  test('or is told to simulate in production does not start', async () => {
    const env = { ...world.env, NODE_ENV: 'production' }
    await expect(startEnclave(bundle.file, env)).rejects.toThrow(/MOCK_ATTESTATION=true is refused in production/)
    const declared = await startEnclave(bundle.file, { ...env, PERIGEE_SIMULATED_DEPLOYMENT: 'true' })
    running.push(declared)
    expect(declared.started.simulated).toBe(true)
  })
})

test('two builds of the bundle give the same bytes', async () => {
  const again = await buildBundle(strangers.dir)
  expect(again.sha256).toBe(bundle.sha256)
  expect(readFileSync(again.file).equals(readFileSync(bundle.file))).toBe(true)
})

test('a reader can follow the enclave in one sitting', () => {
  const dir = new URL('.', import.meta.url)
  const sources = readdirSync(dir, { recursive: true, encoding: 'utf8' }).filter(
    (name) => /\.(ts|mjs)$/.test(name) && !/\.test\.ts$|^testing|^dist|^node_modules/.test(name),
  )
  const lines = sources.map((name) => readFileSync(new URL(name, dir), 'utf8').split('\n').length - 1)
  expect(lines.reduce((sum, count) => sum + count)).toBeLessThan(1_500)
})
