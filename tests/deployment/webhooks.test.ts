import { expect, test } from 'vitest'
import { podOf, readKustomization, readManifests, type Manifest } from './readManifests.js'

const component = readManifests('components/webhooks')
const base = readManifests('base')
const find = (manifests: Manifest[], kind: string, name: string) =>
  manifests.find((manifest) => manifest.kind === kind && manifest.metadata.name === name) as Manifest

test('the component lists every file', () => {
  const files = [...new Set(component.map(({ file }) => file))]
  expect(readKustomization('components/webhooks').resources).toEqual(files)
})

test('its worker is like the others, except for its queue and the file that only it has', () => {
  const shapeOf = (manifest: Manifest) => {
    const { name } = manifest.metadata
    return JSON.parse(JSON.stringify(manifest.spec).replaceAll(name, 'worker')) as Manifest['spec']
  }
  const own = { ...find(component, 'Deployment', 'worker-webhooks') }
  own.spec = shapeOf(own)
  const chain = { ...find(base, 'Deployment', 'worker-chain') }
  chain.spec = shapeOf(chain)
  const pod = podOf(own)
  const [container] = pod.containers
  const variable = (name: string) => container?.env?.find((each) => each.name === name)?.value
  expect(variable('WORKER_QUEUES')).toBe('webhooks')
  expect(variable('WEBHOOKS_FILE')).toBe('/run/perigee/webhooks/webhooks.json')
  expect(container?.volumeMounts).toContainEqual({
    name: 'webhooks',
    mountPath: '/run/perigee/webhooks',
    readOnly: true,
  })
  if (!container) throw new Error('there is no container')
  const { env = [], volumeMounts = [] } = container
  container.env = env
    .filter(({ name }) => name !== 'WEBHOOKS_FILE')
    .map((each) => (each.name === 'WORKER_QUEUES' ? { ...each, value: 'chain' } : each))
  container.volumeMounts = volumeMounts.filter(({ name }) => name !== 'webhooks')
  pod.volumes = (pod.volumes ?? []).filter(({ name }) => name !== 'webhooks')
  expect(own.spec).toEqual(chain.spec)
  expect(JSON.stringify(base)).not.toContain('WEBHOOKS_FILE')
})

test('it reaches Postgres, Temporal and the public Internet, and neither the enclave nor IPFS', () => {
  const { spec } = find(component, 'NetworkPolicy', 'worker-webhooks')
  const ports = (spec['egress'] as { ports: { port: number }[] }[]).flatMap(({ ports }) =>
    ports.map(({ port }) => port),
  )
  expect(ports).toEqual([5432, 7233, 443])
  expect(JSON.stringify(spec['egress'])).toContain('"except":["10.0.0.0/8"')
  const { spec: scaled } = find(component, 'ScaledObject', 'worker-webhooks')
  expect(JSON.stringify(scaled['triggers'])).toContain('"taskQueue":"webhooks"')
})
