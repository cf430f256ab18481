import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { parse } from 'yaml'

interface Service {
  image: string
  environment?: Record<string, string>
  ports?: string[]
  networks?: string[] | Record<string, { ipv4_address?: string } | null>
  network_mode?: string
  expose?: string[]
}
interface Compose {
  services: Record<string, Service>
  networks: Record<string, { internal?: boolean; ipam?: object } | null>
}

const file = new URL('../../docker-compose.yml', import.meta.url)
const { services, networks } = parse(await readFile(file, 'utf8'), { merge: true }) as Compose
const networksOf = ({ networks: joined = [] }: Service) => (Array.isArray(joined) ? joined : Object.keys(joined))
const membersOf = (network: string) =>
  Object.keys(services).filter((name) => networksOf(services[name] as Service).includes(network))

/** Every network: the one server in it, and who comes for that server. What speaks TLS by itself is marked. */
const internal: Record<string, { server: string; clients: string[]; tls?: true }> = {
  'perigee-database': { server: 'postgres', clients: ['api', 'worker'] },
  'temporal-database': { server: 'postgres', clients: ['temporal', 'temporal-schema'] },
  temporal: { server: 'temporal', clients: ['api', 'worker'] },
  'temporal-operators': { server: 'temporal', clients: ['temporal-namespace', 'temporal-ui'] },
  'temporal-ui': { server: 'temporal-ui', clients: ['codec'] },
  enclave: { server: 'enclave', clients: ['worker'], tls: true },
  ipfs: { server: 'kubo', clients: ['worker'] },
  'api-for-web': { server: 'api', clients: ['web'] },
}
/** A way out of its own for each that needs one. */
const outside: Record<string, string> = {
  'ipfs-swarm': 'kubo',
  'worker-outside': 'worker',
  'api-outside': 'api',
  'web-outside': 'web',
  'codec-outside': 'codec',
}

test('every network is listed here, and no service is on the default network', () => {
  expect(Object.keys(networks).sort()).toEqual([...Object.keys(internal), ...Object.keys(outside), 'metrics'].sort())
  for (const [name, service] of Object.entries(services)) {
    expect(networksOf(service), name).not.toEqual([])
    expect(service.network_mode, name).toBeUndefined()
  }
})

test.each(Object.entries(internal))('%s holds one server and its clients, and has no way out', (name, expected) => {
  expect(membersOf(name).sort()).toEqual([expected.server, ...expected.clients].sort())
  expect(networks[name]).toEqual({ internal: true })
})

test.each(Object.entries(outside))('%s is the way out of %s alone', (name, service) => {
  expect(membersOf(name)).toEqual([service])
})

test('any two services that share a network are a server and its client, or clients of the same server', () => {
  const names = Object.keys(services)
  const pairs = names.flatMap((one, index) => names.slice(index + 1).map((other) => [one, other] as const))
  for (const [one, other] of pairs) {
    const shared = networksOf(services[one] as Service).filter((network) => membersOf(network).includes(other))
    const known = Object.entries(internal).filter(([, { server, clients }]) => {
      const members = [server, ...clients]
      return members.includes(one) && members.includes(other)
    })
    const monitored = one === 'worker' && other === 'api' ? ['metrics'] : []
    expect(shared.sort(), `${one} and ${other}`).toEqual([...known.map(([name]) => name), ...monitored].sort())
  }
})

test('the worker listens on the metrics network only, so that other clients of a server find nothing open on it', () => {
  const subnet = '10.213.0.'
  expect(networks['metrics']).toEqual({ internal: true, ipam: { config: [{ subnet: `${subnet}0/24` }] } })
  expect(membersOf('metrics').sort()).toEqual(['api', 'worker'])
  for (const [name, variable] of [
    ['api', 'API_METRICS_ADDRESS'],
    ['worker', 'WORKER_METRICS_ADDRESS'],
  ] as const) {
    const { networks: joined, environment } = services[name] as Service
    const address = (joined as Record<string, { ipv4_address?: string }>)['metrics']?.ipv4_address ?? ''
    expect(address.startsWith(subnet)).toBe(true)
    expect(environment?.[variable]?.split(':')[0], name).toBe(address)
  }
})

test('only Kubo’s swarm faces the Internet; API, web and the operators’ pages listen for the proxy on this machine', () => {
  const published = Object.entries(services).flatMap(([name, { ports = [] }]) => ports.map((port) => `${name} ${port}`))
  expect(published.sort()).toEqual([
    'api 127.0.0.1:${API_PORT:-8080}:8080',
    'codec 127.0.0.1:${CODEC_SERVER_PORT:-8234}:8234',
    'kubo 4001:4001',
    'kubo 4001:4001/udp',
    'web 127.0.0.1:${WEB_PORT:-5173}:5173',
  ])
})

test('the enclave is reached by mutual TLS', () => {
  expect(services['worker']?.environment?.['ENCLAVE_URL']).toMatch(/^https:/)
  for (const name of ['ENCLAVE_TLS_CERT', 'ENCLAVE_TLS_KEY', 'ENCLAVE_TLS_CLIENT_CA']) {
    expect(services['enclave']?.environment, name).toHaveProperty(name)
  }
})

test('the Temporal UI is behind the codec server, which asks operators to sign in', () => {
  const { environment = {} } = services['codec'] as Service
  expect(environment['NODE_ENV']).toBe('production') // refuses to run without a sign-in
  expect(environment).not.toHaveProperty('CODEC_SERVER_DEVELOPMENT')
  expect(environment['OPERATORS']).toMatch(/^\$\{OPERATORS:\?/)
  expect(environment['CODEC_SERVER_UI_UPSTREAM']).toBe('http://temporal-ui:8080')
  expect(environment['CODEC_SERVER_UI_ORIGINS']).toBe(environment['CODEC_SERVER_URL'])
  expect(services['temporal-ui']?.environment?.['TEMPORAL_UI_PUBLIC_PATH']).toBe('/ui')
})
