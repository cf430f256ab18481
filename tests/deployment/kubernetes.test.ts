import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { ConfigError, type Env } from '@perigee/core/config'
import { parseConfig as parseApi } from '../../api/config.js'
import { readShares } from '../../api/shares/config.js'
import { defaultShares } from '../../api/shares/Shares.js'
import { parseConfig as parseCodec } from '../../temporal/codecServer/config.js'
import { parseConfig as parseWeb } from '../../web/server/config.js'
import { parseConfig as parseWorker } from '../../workers/config.js'
import { podOf, readKustomization, readManifests, type Container, type Manifest } from './readManifests.js'

/** The base, and the webhooks that an overlay may add. */
const component = readManifests('components/webhooks')
const base = [...readManifests('base'), ...component]
const ofKind = (kind: string) => base.filter((manifest) => manifest.kind === kind)
const deployments = ofKind('Deployment')
const workers = deployments.filter(({ metadata }) => metadata.name.startsWith('worker-'))
const withPods = [...deployments, ...ofKind('Job')]
const named = (manifests: Manifest[]) => manifests.map((manifest) => [manifest.metadata.name, manifest] as const)
const configMaps = Object.fromEntries(ofKind('ConfigMap').map(({ metadata, data = {} }) => [metadata.name, data]))

test('every part of the service is there', () => {
  expect(deployments.map(({ metadata }) => metadata.name).sort()).toEqual(
    ['api', 'codec', 'web', 'worker-chain', 'worker-publish', 'worker-sign', 'worker-webhooks'].sort(),
  )
  expect(ofKind('Job').map(({ metadata }) => metadata.name)).toEqual(['migrate'])
})

test('the kustomization lists every file, and nothing else', () => {
  for (const where of ['base', 'components/webhooks']) {
    const files = [...new Set(readManifests(where).map(({ file }) => file))]
    expect([...readKustomization(where).resources].sort()).toEqual(files.sort())
  }
})

test('every manifest has the members that Kubernetes needs, and no other at its top', () => {
  const seen = new Set<string>()
  for (const { file, ...manifest } of base) {
    const allowed = ['apiVersion', 'kind', 'metadata', 'spec', 'data']
    expect(allowed, file).toEqual(expect.arrayContaining(Object.keys(manifest)))
    expect(manifest.apiVersion, file).toMatch(/^(?:[a-z0-9.]+\/)?v\d/)
    expect(manifest.metadata.name, file).toMatch(/^[a-z][a-z0-9-]*$/)
    const id = `${manifest.kind}/${manifest.metadata.name}`
    expect(seen.has(id), id).toBe(false)
    seen.add(id)
  }
})

test.each(named(withPods))('%s runs without privileges', (_, manifest) => {
  const pod = podOf(manifest)
  expect(pod.automountServiceAccountToken).toBe(false)
  expect(pod.hostNetwork).toBeUndefined()
  expect(pod.initContainers).toBeUndefined()
  expect(pod.securityContext).toMatchObject({ runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } })
  for (const { securityContext } of pod.containers) {
    expect(securityContext).toEqual({
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ['ALL'] },
    })
  }
})

test.each(named(withPods))('%s says what it needs, and which version it is', (_, manifest) => {
  for (const { image, resources } of podOf(manifest).containers) {
    expect(image).toMatch(/^perigee\/[a-z]+:\d+\.\d+\.\d+$/)
    expect(resources).toEqual({
      requests: { cpu: expect.any(String) as string, memory: expect.any(String) as string },
      limits: { memory: expect.any(String) as string },
    })
  }
})

test.each(named(deployments))('%s has probes, a disruption budget and a network policy', (name, manifest) => {
  for (const container of podOf(manifest).containers) {
    const ports = container.ports?.map((port) => port.name)
    for (const probe of [container.startupProbe, container.livenessProbe, container.readinessProbe]) {
      const { httpGet, exec } = probe as { httpGet?: { port: string }; exec?: object }
      if (!exec) expect(ports).toContain(httpGet?.port) // commands: probes.test.ts
    }
  }
  const selector = { matchLabels: { 'app.kubernetes.io/name': name } }
  const budget = ofKind('PodDisruptionBudget').find(({ metadata }) => metadata.name === name)
  expect(budget?.spec).toEqual({ maxUnavailable: 1, selector })
  const policy = ofKind('NetworkPolicy').find(({ metadata }) => metadata.name === name)
  expect(policy?.spec).toMatchObject({ podSelector: selector, policyTypes: ['Ingress', 'Egress'] })
})

test('everything is denied by default, and only signing workers reach the enclave', () => {
  const policies = Object.fromEntries(ofKind('NetworkPolicy').map(({ metadata, spec }) => [metadata.name, spec]))
  expect(policies['deny-all']).toEqual({ podSelector: {}, policyTypes: ['Ingress', 'Egress'] })
  const openTo = (port: number) =>
    Object.keys(policies).filter((name) => JSON.stringify(policies[name]?.['egress'] ?? []).includes(`"port":${port}}`))
  expect(openTo(9443)).toEqual(['worker-sign'])
  expect(openTo(5432).sort()).toEqual(['api', 'migrate', ...workers.map(({ metadata }) => metadata.name)].sort())
  expect(openTo(5001).sort()).toEqual(['worker-chain', 'worker-publish'])
})

test('whatever is scaled sets no number of its own, and each queue is scaled by its backlog', () => {
  const scaled = [...ofKind('ScaledObject'), ...ofKind('HorizontalPodAutoscaler')]
  for (const { spec } of scaled) {
    const { name } = spec['scaleTargetRef'] as { name: string }
    expect(deployments.find(({ metadata }) => metadata.name === name)?.spec, name).not.toHaveProperty('replicas')
  }
  for (const { metadata, spec } of ofKind('ScaledObject')) {
    const [trigger] = spec['triggers'] as { type: string; metadata: Record<string, string> }[]
    const [container] = podOf(deployments.find((one) => one.metadata.name === metadata.name) as Manifest).containers
    expect(trigger?.type).toBe('temporal')
    expect(trigger?.metadata['taskQueue']).toBe(environmentOf(container as Container)['WORKER_QUEUES'])
    expect(trigger?.metadata['endpoint']).toBe(configMaps['perigee-common']?.['TEMPORAL_ADDRESS'])
    expect(trigger?.metadata['namespace']).toBe(configMaps['perigee-common']?.['TEMPORAL_NAMESPACE'])
    expect(spec['minReplicaCount']).toBeGreaterThanOrEqual(2)
  }
  expect(ofKind('ScaledObject')).toHaveLength(4)
})

/** What one kind of worker has and the others do not: the keys that pay, and the applications with their secrets. */
const ownVolumes = new Set(['webhooks'])
const ownVariables = new Set(['PUBLISHER_PRIVATE_KEYS', 'WEBHOOKS_FILE'])
const common = (name: string, value: unknown) =>
  Array.isArray(value)
    ? value.filter((one: { name?: string }) => {
        const own = name === 'env' ? ownVariables : name.startsWith('volume') ? ownVolumes : null
        return !own?.has(one.name ?? '')
      })
    : value

test('only who publishes has the publishing keys, and only who delivers the secrets of applications', () => {
  const having = (text: string) =>
    deployments.filter(({ spec }) => JSON.stringify(spec).includes(text)).map(({ metadata }) => metadata.name)
  expect(having('PUBLISHER_PRIVATE_KEYS')).toEqual(['worker-chain'])
  expect(having('perigee-webhooks')).toEqual(['worker-webhooks'])
})

test('the workers differ in queue, size, name and what only one of them may have', () => {
  const shapes = workers.map(({ metadata, spec }) => {
    const text = JSON.stringify(spec, common).replaceAll(metadata.name, 'worker')
    const queue = metadata.name.slice('worker-'.length)
    return text.replace(`"value":"${queue}"`, '"value":"queue"').replace(/"resources":\{.*?\}\},/, '')
  })
  expect(shapes).toHaveLength(4)
  expect(new Set(shapes).size).toBe(1)
})

const drawn = randomBytes(32).toString('hex')
const secretValues: Record<string, string> = {
  DATABASE_URL: `postgresql://perigee:${drawn}@postgres:5432/perigee?sslmode=verify-full`,
  TEMPORAL_CODEC_KEYS: `a:${drawn}`,
  SESSION_SECRETS: `1:${drawn}`,
  PUBLISHER_PRIVATE_KEYS: `0x${drawn}`,
  CHAIN_RPC_URLS: 'https://rpc.example',
  WALLET_RPC_URLS: '84532=https://rpc.example',
  ORBITPORT_CLIENT_ID: 'id',
  ORBITPORT_CLIENT_SECRET: 'secret',
  OIDC_GOOGLE_CLIENT_SECRET: 'secret',
}

function environmentOf({ env = [], envFrom = [] }: Container): Record<string, string> {
  const given = envFrom.map(({ configMapRef }) => {
    const data = configMaps[configMapRef?.name ?? '']
    if (!data) throw new Error(`there is no ConfigMap ${configMapRef?.name}`)
    return data
  })
  const own = env.map(({ name, value }) => [name, value ?? secretValues[name] ?? ''] as const)
  return Object.assign({}, ...given, Object.fromEntries(own)) as Record<string, string>
}

const programs: Record<string, (env: Env) => unknown> = {
  api: parseApi,
  'worker-sign': parseWorker,
  'worker-publish': parseWorker,
  'worker-chain': parseWorker,
  'worker-webhooks': parseWorker,
  codec: parseCodec,
  web: parseWeb,
}
test.each(named(deployments))('%s gets every variable that its program needs', (name, manifest) => {
  const [container] = podOf(manifest).containers
  const problems: string[] = []
  try {
    programs[name]?.(environmentOf(container as Container))
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    problems.push(...error.problems)
  }
  // The files are mounted in the cluster and are not here; nothing else may be wrong.
  const aboutFiles = /names a file that cannot be read$|^measurements: the file cannot be read$/
  expect(problems.filter((problem) => !aboutFiles.test(problem))).toEqual([])
})

test('every file that a variable names lies on a volume, and every volume comes from somewhere', () => {
  for (const manifest of deployments) {
    const pod = podOf(manifest)
    const mounts = pod.containers.flatMap(({ volumeMounts = [] }) => volumeMounts)
    for (const [variable, value] of Object.entries(environmentOf(pod.containers[0] as Container))) {
      if (!value.startsWith('/')) continue
      expect(
        mounts.some(({ mountPath }) => value.startsWith(mountPath)),
        `${variable} of ${manifest.file}`,
      ).toBe(true)
    }
    expect(mounts.map(({ name }) => name).sort()).toEqual(pod.volumes?.map(({ name }) => name).sort())
  }
})

test('the shares of the manifests are the defaults', () => {
  expect(readShares(configMaps['perigee-shares']?.['shares.json'] ?? '', [])).toEqual(defaultShares)
})

const secretName = /(?:PASSWORD|SECRETS?|PRIVATE_KEYS|CODEC_KEYS|_TOKEN|API_KEY|DATABASE_URL|RPC_URLS)$/
test('secrets come from outside: manifests hold their names, never a value', () => {
  const all = [...base, ...readManifests('overlays/production')]
  expect(all.filter(({ kind }) => kind === 'Secret')).toEqual([])
  for (const { file, data = {} } of all) {
    for (const variable of Object.keys(data)) expect(variable, file).not.toMatch(secretName)
  }
  for (const manifest of withPods) {
    const variables = podOf(manifest).containers.flatMap(({ env = [] }) => env)
    for (const { name, value, valueFrom } of variables) {
      if (!secretName.test(name)) continue
      expect([value, valueFrom?.secretKeyRef?.key], `${name} of ${manifest.file}`).toEqual([undefined, name])
    }
  }
  // A private key of 32 bytes would look like this; addresses are shorter, and the example's public keys are zeros, for operators to replace.
  for (const { file, ...manifest } of all) {
    expect(JSON.stringify(manifest), file).not.toMatch(/0x(?!0{64})[0-9a-f]{64}|-----BEGIN|:\/\/[^/"\s]+:[^/"\s@]+@/i)
  }
})

test('the overlay changes only what the base has, and pins every image', () => {
  const kustomization = readKustomization('overlays/production')
  const patches = kustomization.patches?.map(({ path }) => path) ?? []
  for (const { file, kind, metadata, data } of readManifests('overlays/production')) {
    if (!patches.includes(file)) expect(kustomization.resources).toContain(file)
    else
      expect(
        base.some((one) => one.kind === kind && one.metadata.name === metadata.name),
        metadata.name,
      ).toBe(true)
    for (const key of Object.keys(data ?? {})) expect(configMaps[metadata.name], metadata.name).toHaveProperty(key)
  }
  const images = new Set(withPods.flatMap((one) => podOf(one).containers.map(({ image }) => image.split(':')[0])))
  expect(new Set(kustomization.images?.map(({ name }) => name))).toEqual(images)
  for (const { newTag, digest } of kustomization.images ?? [])
    expect(digest ?? newTag).toMatch(/^\d+\.\d+\.\d+$|^sha256:/)
})
