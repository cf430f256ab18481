import 'reflect-metadata'
import { randomBytes, webcrypto } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import * as x509 from '@peculiar/x509'

/** Files below the folder, as `ENCLAVE_TLS_*` and `ENCLAVE_CLIENT_*` name them. */
export interface ChannelFiles {
  ca: string
  serverCert: string
  serverKey: string
  clientCert: string
  clientKey: string
}

const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' } as const
const day = 86_400_000
const lifetimeDays = 397
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
  const issuerKeys = await newKeys()
  const issuer = await x509.X509CertificateGenerator.createSelfSigned({
    ...validity(),
    name: 'CN=Perigee enclave channel',
    keys: issuerKeys,
    signingAlgorithm: algorithm,
    extensions: [
      new x509.BasicConstraintsExtension(true, 0, true),
      new x509.KeyUsagesExtension(x509.KeyUsageFlags.keyCertSign, true),
    ],
  })
  const issue = async (name: string, usage: string, certFile: string, keyFile: string) => {
    const keys = await newKeys()
    const certificate = await x509.X509CertificateGenerator.create({
      ...validity(),
      subject: `CN=${name}`,
      issuer: issuer.subject,
      publicKey: keys.publicKey,
      signingKey: issuerKeys.privateKey,
      signingAlgorithm: algorithm,
      extensions: [
        new x509.BasicConstraintsExtension(false, undefined, true),
        new x509.KeyUsagesExtension(x509.KeyUsageFlags.digitalSignature, true),
        new x509.ExtendedKeyUsageExtension([usage], true),
        new x509.SubjectAlternativeNameExtension(
          names.map((value) => ({ type: /^[0-9.]+$/.test(value) ? ('ip' as const) : ('dns' as const), value })),
        ),
      ],
    })
    const pkcs8 = await webcrypto.subtle.exportKey('pkcs8', keys.privateKey)
    writeFileSync(keyFile, x509.PemConverter.encode(pkcs8, 'PRIVATE KEY') + '\n', { mode: 0o600 })
    writeFileSync(certFile, certificate.toString('pem') + '\n')
  }
  await issue('Perigee enclave', x509.ExtendedKeyUsage.serverAuth, files.serverCert, files.serverKey)
  await issue('Perigee worker', x509.ExtendedKeyUsage.clientAuth, files.clientCert, files.clientKey)
  writeFileSync(files.ca, issuer.toString('pem') + '\n') // last: an interrupted run starts over
  return files
}

const newKeys = () => webcrypto.subtle.generateKey(algorithm, true, ['sign', 'verify']) as Promise<CryptoKeyPair>

function validity() {
  const now = Date.now()
  return {
    notBefore: new Date(now - 3_600_000),
    notAfter: new Date(now + lifetimeDays * day),
    serialNumber: randomBytes(16).toString('hex'), // the library keeps it positive
  }
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
