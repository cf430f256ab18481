import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { podOf, readManifests } from './readManifests.js'

/* Worker versions (temporal/RUNBOOK.md, "Deploying"): empty is unversioned, and both or none must be set. */

const variables = ['WORKER_DEPLOYMENT_NAME', 'WORKER_BUILD_ID']

test('compose passes the version to its worker, and none by default', () => {
  const { services } = parse(readFileSync('docker-compose.yml', 'utf8'), { merge: true }) as {
    services: Record<string, { environment: Record<string, string> }>
  }
  for (const name of variables) expect(services['worker']?.environment[name]).toBe(`\${${name}:-}`)
})

test('every worker of the manifests takes the version from one place, which names none', () => {
  const base = readManifests('base')
  const config = base.find(({ kind, metadata }) => kind === 'ConfigMap' && metadata.name === 'perigee-worker')
  for (const name of variables) expect(config?.data).toHaveProperty(name, '')
  const workers = [...base, ...readManifests('components/webhooks')].filter(
    ({ kind, metadata }) => kind === 'Deployment' && metadata.name.startsWith('worker-'),
  )
  expect(workers).toHaveLength(4)
  for (const worker of workers) {
    const [container] = podOf(worker).containers
    expect(container?.envFrom).toContainEqual({ configMapRef: { name: 'perigee-worker' } })
    expect(container?.env?.filter(({ name }) => variables.includes(name))).toEqual([])
  }
})
