import 'reflect-metadata'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import * as x509 from '@peculiar/x509'
import { createAuthority } from './createAuthority.js'

/** Files below the folder, as `ENCLAVE_TLS_*` and `ENCLAVE_CLIENT_*` name them. */
export interface ChannelFiles {
  ca: string
  serverCert: string
  serverKey: string
  clientCert: string
  clientKey: string
}

const day = 86_400_000
const renewalDays = 30

/**
 * Certificates for the channel between worker and enclave: made once, kept, renewed before they expire. The issuer's key
 * is never written to disk, so exactly these two certificates exist under the pinned issuer.
 */
export async function createChannelCertificates(dir: string, hosts: readonly string[] = []): Promise<ChannelFiles> {
  const files: ChannelFiles = {
    ca: join(dir, 'ca.pem'),
    serverCert: join(dir, 'enclave.pem'),
    serverKey: join(dir, 'enclave.key'),
    clientCert: join(dir, 'worker.pem'),
    clientKey: join(dir, 'worker.key'),
  }
  const names = ['localhost', '127.0.0.1', 'enclave', ...hosts]
  if (stillGood(files, names)) return files
  mkdirSync(dir, { recursive: true, mode: 0o700 })
  const authority = await createAuthority('Perigee enclave channel')
  const { serverAuth, clientAuth } = x509.ExtendedKeyUsage
  await authority.issue({ name: 'Perigee enclave', usages: [serverAuth], names }, files.serverCert, files.serverKey)
  await authority.issue({ name: 'Perigee worker', usages: [clientAuth], names }, files.clientCert, files.clientKey)
  writeFileSync(files.ca, authority.pem) // last: an interrupted run starts over
  return files
}

/** True when all files exist, have one issuer, cover these hosts and do not expire soon. */
function stillGood(files: ChannelFiles, names: readonly string[]): boolean {
  if (!Object.values(files).every((file: string) => existsSync(file))) return false
  try {
    const read = (file: string) => new x509.X509Certificate(readFileSync(file, 'utf8'))
    const [issuer, server, client] = [read(files.ca), read(files.serverCert), read(files.clientCert)]
    const covered = server.getExtension(x509.SubjectAlternativeNameExtension)?.names.items.map(({ value }) => value)
    return (
      [issuer, server, client].every(({ notAfter }) => notAfter.getTime() - Date.now() > renewalDays * day) &&
      [server, client].every((leaf) => leaf.issuer === issuer.subject) &&
      names.every((name) => covered?.includes(name))
    )
  } catch {
    return false
  }
}
