import { mkdtempSync, rmSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createChannelCertificates, type ChannelFiles } from '../core/x509/testing/createChannelCertificates.js'
import { freePort } from '../dev/stack/processes/freePort.js'
import { connectTemporal, placeOf } from '../dev/stack/stackTemporal.js'
import { components, freshNamespace } from '../tests/harness/index.js'
import { checkTemporal } from './checkTemporal.js'
import type { TemporalPlace } from './config.js'
import { createTlsGate } from './testing/createTlsGate.js'

const dir = mkdtempSync(join(tmpdir(), 'perigee-check-'))
const token = 'the-good-token'
let namespace: string
let files: ChannelFiles
let gate: Awaited<ReturnType<typeof createTlsGate>>
let good: TemporalPlace

beforeAll(async () => {
  namespace = await freshNamespace()
  files = await createChannelCertificates(join(dir, 'good'))
  gate = await createTlsGate({
    key: await readFile(files.serverKey),
    cert: await readFile(files.serverCert),
    ca: await readFile(files.ca),
    target: components().temporalAddress,
    // A reader may ask for everything, and change nothing.
    allows: (path, bearer) =>
      bearer === `Bearer ${token}` || (bearer === 'Bearer reader' && !path.endsWith('CancelWorkflowExecution')),
  })
  const pair = { crt: await readFile(files.clientCert), key: await readFile(files.clientKey) }
  const tls = { serverRootCACertificate: await readFile(files.ca), clientCertPair: pair }
  good = { address: gate.address, namespace, apiKey: token, tls }
})
afterAll(() => {
  gate.close()
  rmSync(dir, { recursive: true })
})

const problemOf = (place: TemporalPlace) =>
  checkTemporal(place).then(
    () => null,
    (error: Error & { code?: string }) => ({ code: error.code, lines: error.message.split('\n').length }),
  )

test('a server with everything in place is accepted, with and without TLS and a token', async () => {
  expect(await problemOf(good)).toBeNull()
  expect(await problemOf({ ...placeOf(components()), namespace })).toBeNull()
})

test('a server that is not there is named', async () => {
  const address = `127.0.0.1:${await freePort()}`
  expect(await problemOf({ ...good, address, tls: null })).toEqual({ code: 'temporal_unreachable', lines: 1 })
})

test('a certificate that either side refuses is a matter of TLS', async () => {
  const strangers = await createChannelCertificates(join(dir, 'strange'))
  const ca = await readFile(strangers.ca)
  const wrongCa = { serverRootCACertificate: ca }
  const noCertificate = { serverRootCACertificate: await readFile(files.ca) }
  const wrongName = { ...(good.tls as object), serverNameOverride: 'elsewhere.test' }
  for (const tls of [wrongCa, noCertificate, wrongName, null]) {
    expect(await problemOf({ ...good, apiKey: null, tls })).toEqual({ code: 'temporal_tls', lines: 1 })
  }
})

test('a token without the right to write is refused before anything starts', async () => {
  for (const apiKey of ['another', 'reader', null]) {
    expect(await problemOf({ ...good, apiKey })).toEqual({ code: 'temporal_unauthorised', lines: 1 })
  }
})

test('a namespace or search attributes that are missing are named', async () => {
  const missing = { code: 'temporal_namespace_missing', lines: 1 }
  expect(await problemOf({ ...good, namespace: 'nobody-made-this' })).toEqual(missing)
  const bare = `bare-${randomBytes(6).toString('hex')}`
  const connection = await connectTemporal(components())
  const workflowExecutionRetentionPeriod = { seconds: 86_400 as never }
  await connection.workflowService.registerNamespace({ namespace: bare, workflowExecutionRetentionPeriod })
  await connection.close()
  const lacking = { code: 'temporal_search_attributes_missing', lines: 1 }
  await expect.poll(() => problemOf({ ...good, namespace: bare })).toEqual(lacking)
})
