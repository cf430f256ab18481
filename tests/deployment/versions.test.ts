import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { podOf, readManifests } from './readManifests.js'

/* Worker versions (temporal/RUNBOOK.md, "Deploying"): a name makes a worker versioned, and its image carries the build id. */

const [name, buildId] = ['WORKER_DEPLOYMENT_NAME', 'WORKER_BUILD_ID']

interface Service {
  image: string
  build: { args: Record<string, string> }
  environment: Record<string, string>
}

test('the image carries its build id, which is its tag, and compose passes no other', () => {
  expect(readFileSync('Dockerfile', 'utf8')).toMatch(/\nARG BUILD_ID\nENV WORKER_BUILD_ID=\$\{BUILD_ID\}\n/)
  const { services } = parse(readFileSync('docker-compose.yml', 'utf8'), { merge: true }) as {
    services: { worker: Service; api: Service }
  }
  const { image, build, environment } = services.worker
  expect(image.split(':')[1]).toBe(build.args['BUILD_ID'])
  expect(build.args['NODE_IMAGE']).toBe(services.api.build.args['NODE_IMAGE'])
  expect(environment[name]).toBe(`\${${name}:-}`)
  expect(environment).not.toHaveProperty(buildId)
})

test('every worker of the manifests takes the name from one place, which has none, and the build id from its image', () => {
  const base = readManifests('base')
  const config = base.find(({ kind, metadata }) => kind === 'ConfigMap' && metadata.name === 'perigee-worker')
  expect(config?.data).toHaveProperty(name, '')
  expect(config?.data).not.toHaveProperty(buildId)
  const workers = [...base, ...readManifests('components/webhooks')].filter(
    ({ kind, metadata }) => kind === 'Deployment' && metadata.name.startsWith('worker-'),
  )
  expect(workers).toHaveLength(4)
  for (const worker of workers) {
    const [container] = podOf(worker).containers
    expect(container?.envFrom).toContainEqual({ configMapRef: { name: 'perigee-worker' } })
    expect(container?.env?.filter((one) => one.name === name || one.name === buildId)).toEqual([])
  }
})
