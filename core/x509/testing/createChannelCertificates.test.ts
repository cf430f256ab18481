import { X509Certificate } from 'node:crypto'
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { createChannelCertificates } from './createChannelCertificates.js'

const dir = mkdtempSync(join(tmpdir(), 'perigee-channel-'))
afterAll(() => rmSync(dir, { recursive: true, force: true }))
const read = (file: string) => new X509Certificate(readFileSync(file))

test('the certificates are the issuer’s own, for one role each, and the issuer’s key is nowhere', async () => {
  const files = await createChannelCertificates(dir)
  const [issuer, server, client] = [read(files.ca), read(files.serverCert), read(files.clientCert)]
  for (const leaf of [server, client]) {
    expect(leaf.verify(issuer.publicKey) && leaf.checkIssued(issuer)).toBe(true)
    expect(leaf.ca).toBe(false)
  }
  expect(server.checkIP('127.0.0.1')).toBe('127.0.0.1')
  expect(server.checkHost('enclave')).toBe('enclave')
  expect(server.keyUsage).toEqual(['1.3.6.1.5.5.7.3.1'])
  expect(client.keyUsage).toEqual(['1.3.6.1.5.5.7.3.2'])
  expect(readdirSync(dir).filter((name) => name.endsWith('.key'))).toEqual(['enclave.key', 'worker.key'])
  for (const key of [files.serverKey, files.clientKey]) expect(statSync(key).mode & 0o777).toBe(0o600)
})

test('they are kept, and made again only for a new host', async () => {
  const files = await createChannelCertificates(dir)
  const before = readFileSync(files.ca, 'utf8')
  expect(readFileSync((await createChannelCertificates(dir)).ca, 'utf8')).toBe(before)
  const next = await createChannelCertificates(dir, ['enclave.internal'])
  expect(readFileSync(next.ca, 'utf8')).not.toBe(before)
  expect(read(next.serverCert).checkHost('enclave.internal')).toBe('enclave.internal')
})
