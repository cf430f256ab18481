import 'reflect-metadata'
import { randomBytes, webcrypto } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import * as x509 from '@peculiar/x509'

const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' } as const
const day = 86_400_000
const lifetimeDays = 397

export interface ToIssue {
  name: string
  /** Of x509.ExtendedKeyUsage. */
  usages: string[]
  /** Host names and IPv4 addresses. */
  names: readonly string[]
}

/** A certificate authority whose key lives in memory only: exactly the certificates issued here exist under it. */
export async function createAuthority(name: string) {
  const issuerKeys = await newKeys()
  const issuer = await x509.X509CertificateGenerator.createSelfSigned({
    ...validity(),
    name: `CN=${name}`,
    keys: issuerKeys,
    signingAlgorithm: algorithm,
    extensions: [
      new x509.BasicConstraintsExtension(true, 0, true),
      new x509.KeyUsagesExtension(x509.KeyUsageFlags.keyCertSign, true),
      await x509.SubjectKeyIdentifierExtension.create(issuerKeys.publicKey),
    ],
  })
  return {
    pem: issuer.toString('pem') + '\n',
    /** Writes a certificate and its key; only its owner may read the key. */
    async issue({ name: subject, usages, names }: ToIssue, certFile: string, keyFile: string): Promise<void> {
      const keys = await newKeys()
      const certificate = await x509.X509CertificateGenerator.create({
        ...validity(),
        subject: `CN=${subject}`,
        issuer: issuer.subject,
        publicKey: keys.publicKey,
        signingKey: issuerKeys.privateKey,
        signingAlgorithm: algorithm,
        extensions: [
          new x509.BasicConstraintsExtension(false, undefined, true),
          new x509.KeyUsagesExtension(x509.KeyUsageFlags.digitalSignature, true),
          new x509.ExtendedKeyUsageExtension(usages, true),
          // Without it OpenSSL takes the first authority of this name, and a rotation trusts two.
          await x509.AuthorityKeyIdentifierExtension.create(issuerKeys.publicKey),
          new x509.SubjectAlternativeNameExtension(
            names.map((value) => ({ type: /^[0-9.]+$/.test(value) ? ('ip' as const) : ('dns' as const), value })),
          ),
        ],
      })
      const pkcs8 = await webcrypto.subtle.exportKey('pkcs8', keys.privateKey)
      writeFileSync(keyFile, x509.PemConverter.encode(pkcs8, 'PRIVATE KEY') + '\n', { mode: 0o600 })
      writeFileSync(certFile, certificate.toString('pem') + '\n')
    },
  }
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
