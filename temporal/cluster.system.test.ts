import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Connection } from '@temporalio/client'
import { NativeConnection } from '@temporalio/worker'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { transactionDigest } from '@perigee/core'
import { createChannelCertificates, type ChannelFiles } from '../core/x509/testing/createChannelCertificates.js'
import { newTransaction } from '../enclave/testing/createTestWorld.js'
import { components } from '../tests/harness/index.js'
import { startService } from '../tests/rigs/workers/startService.js'
import { createTlsGate } from './testing/createTlsGate.js'

const dir = mkdtempSync(join(tmpdir(), 'perigee-cluster-'))
let files: ChannelFiles
let gate: Awaited<ReturnType<typeof createTlsGate>>

beforeAll(async () => {
  files = await createChannelCertificates(dir)
  gate = await createTlsGate({
    key: readFileSync(files.serverKey),
    cert: readFileSync(files.serverCert),
    ca: readFileSync(files.ca),
    target: components().temporalAddress,
  })
})
afterAll(() => {
  gate.close()
  rmSync(dir, { recursive: true })
})

test('workers and clients reach a server behind mutual TLS and an API key by configuration alone', async () => {
  const service = await startService({
    env: {
      TEMPORAL_ADDRESS: gate.address,
      TEMPORAL_API_KEY: 'a-key-of-the-test',
      TEMPORAL_TLS_CA: files.ca,
      TEMPORAL_TLS_CERT: files.clientCert,
      TEMPORAL_TLS_KEY: files.clientKey,
    },
  })
  try {
    await service.startWorkers()
    const { walletId } = await service.provision(await service.newUser())
    const transaction = newTransaction()
    const call = { walletId, transaction, digest: transactionDigest(transaction) }
    expect(await service.publicationOf((await service.sign(call)).slug)).toBe('complete')
    expect([...gate.authorizations]).toEqual(['Bearer a-key-of-the-test'])
  } finally {
    await service.close()
  }
})

test('without our certificate nobody gets through', async () => {
  const tls = { serverRootCACertificate: readFileSync(files.ca) }
  await expect(Connection.connect({ address: gate.address, tls, connectTimeout: '3s' })).rejects.toThrow()
  await expect(NativeConnection.connect({ address: gate.address, tls })).rejects.toThrow()
})
