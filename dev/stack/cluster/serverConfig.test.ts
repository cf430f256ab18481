import { mkdtemp, readFile, rm, stat } from 'node:fs/promises'
import { createPublicKey, verify, X509Certificate, type JsonWebKey } from 'node:crypto'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createClusterKeys, type ClusterKeys } from './createClusterKeys.js'
import { roles, type RolePorts } from './layout.js'
import { serverConfig } from './serverConfig.js'

let dir: string
let keys: ClusterKeys
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'perigee-cluster-'))
  keys = await createClusterKeys(dir, 'perigee')
})
afterAll(() => rm(dir, { recursive: true }))

const ports = Object.fromEntries(
  roles.map((role, index) => [role, { grpc: 7233 + index, membership: 6933 + index }]),
) as RolePorts
const config = () =>
  serverConfig({
    address: '127.0.0.11',
    ports,
    files: keys.files,
    database: { address: '127.0.0.1:5432', user: 'temporal', password: 'p' },
    dynamicConfigFile: '/dynamic.yaml',
    connections: 20,
  }) as Record<string, Record<string, Record<string, unknown>>>

test('every process listens on its own address, knows all roles and has 512 shards', () => {
  const { services, persistence } = config()
  expect(Object.keys(services ?? {})).toEqual([...roles])
  for (const service of Object.values(services ?? {}))
    expect(service).toMatchObject({ rpc: { bindOnIP: '127.0.0.11' } })
  expect(persistence).toMatchObject({ numHistoryShards: 512 })
})

test('every way in asks for a certificate, and clients and processes have different authorities', async () => {
  const { tls, authorization } = config()['global'] ?? {}
  const required = { server: { requireClientAuth: true } }
  expect(tls).toMatchObject({ internode: required, frontend: required })
  expect(authorization).toMatchObject({ authorizer: 'default', claimMapper: 'default' })
  const read = async (file: string) => new X509Certificate(await readFile(file))
  const client = await read(keys.files.client.cert)
  expect(client.verify((await read(keys.files.frontend.ca)).publicKey)).toBe(true)
  expect(client.verify((await read(keys.files.internode.ca)).publicKey)).toBe(false)
  for (const { key } of [keys.files.internode, keys.files.frontend, keys.files.client]) {
    expect((await stat(key)).mode & 0o077).toBe(0)
  }
})

test('the service may write and work in its own namespace only; tokens are signed by the published key', async () => {
  const [header = '', claims = '', signature = ''] = keys.tokens.service.split('.')
  expect(JSON.parse(Buffer.from(claims, 'base64url').toString())).toMatchObject({
    permissions: ['perigee:write', 'perigee:worker'],
  })
  const jwks = JSON.parse(await readFile(keys.files.jwks, 'utf8')) as { keys: JsonWebKey[] }
  const key = createPublicKey({ key: jwks.keys[0] ?? {}, format: 'jwk' })
  const content = Buffer.from(`${header}.${claims}`)
  expect(verify('sha256', content, { key, dsaEncoding: 'ieee-p1363' }, Buffer.from(signature, 'base64url'))).toBe(true)
})
