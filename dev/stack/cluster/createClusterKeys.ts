import 'reflect-metadata'
import { createHash, generateKeyPairSync, sign, type KeyObject } from 'node:crypto'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import * as x509 from '@peculiar/x509'
import { createAuthority } from '../../../core/x509/testing/createAuthority.js'

interface CertificateFiles {
  ca: string
  cert: string
  key: string
}

export type ClusterKeys = Awaited<ReturnType<typeof createClusterKeys>>

export const internodeName = 'internode.temporal.test'
export const frontendName = 'frontend.temporal.test'

const tokenDays = 90

/** Certificates and tokens of a cluster, new at every start: the authorities' keys are never written to disk. */
export async function createClusterKeys(dir: string, namespace: string) {
  await mkdir(dir, { recursive: true, mode: 0o700 })
  const certificate = (name: string, authority: string): CertificateFiles => ({
    ca: join(dir, `${authority}-ca.pem`),
    cert: join(dir, `${name}.pem`),
    key: join(dir, `${name}.key`),
  })
  const files = {
    /** Between the processes of the cluster; serves both ways. */
    internode: certificate('internode', 'internode'),
    frontend: certificate('frontend', 'frontend'),
    /** Of API, workers and operators. */
    client: certificate('client', 'frontend'),
    /** The key that tokens are checked with. */
    jwks: join(dir, 'jwks.json'),
  }
  const { serverAuth, clientAuth } = x509.ExtendedKeyUsage
  const issue = async (authorityName: string, parts: [CertificateFiles, string, string[], string[]][]) => {
    const authority = await createAuthority(authorityName)
    for (const [{ ca, cert, key }, name, usages, names] of parts) {
      await authority.issue({ name, usages, names }, cert, key)
      await writeFile(ca, authority.pem)
    }
  }
  await issue('Perigee local cluster, inside', [
    [files.internode, 'Temporal internode', [serverAuth, clientAuth], [internodeName]],
  ])
  await issue('Perigee local cluster, clients', [
    [files.frontend, 'Temporal frontend', [serverAuth, clientAuth], [frontendName]],
    [files.client, 'Perigee', [clientAuth], ['client.perigee.test']],
  ])
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const jwk = publicKey.export({ format: 'jwk' })
  const kid = createHash('sha256').update(JSON.stringify(jwk)).digest('hex').slice(0, 16)
  await writeFile(files.jwks, JSON.stringify({ keys: [{ ...jwk, kid, use: 'sig', alg: 'ES256' }] }))
  const token = (subject: string, permissions: string[]) => mintToken(privateKey, kid, subject, permissions)
  return {
    files,
    tokens: {
      /** Starts, runs and reads workflows of the one namespace; creates nothing else. */
      service: token('perigee', [`${namespace}:write`, `${namespace}:worker`]),
      /** Everything: namespaces, search attributes. */
      operator: token('operator', ['temporal-system:admin']),
    },
  }
}

/** A JWT (ES256), as an identity provider would issue it. */
function mintToken(key: KeyObject, kid: string, subject: string, permissions: string[]): string {
  const now = Math.floor(Date.now() / 1000)
  const encode = (part: object) => Buffer.from(JSON.stringify(part)).toString('base64url')
  const claims = { sub: subject, permissions, iat: now, exp: now + tokenDays * 86_400 }
  const content = `${encode({ alg: 'ES256', typ: 'JWT', kid })}.${encode(claims)}`
  return `${content}.${sign('sha256', Buffer.from(content), { key, dsaEncoding: 'ieee-p1363' }).toString('base64url')}`
}
