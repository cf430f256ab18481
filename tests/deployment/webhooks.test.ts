import { expect, test } from 'vitest'
import { readManifests } from './readManifests.js'

// What every worker must have, `kubernetes.test.ts` checks.
test('the worker of webhooks reaches Postgres, Temporal and the public Internet, and neither the enclave nor IPFS', () => {
  const policy = readManifests('components/webhooks').find(({ kind }) => kind === 'NetworkPolicy')
  const egress = policy?.spec['egress'] as { ports: { port: number }[] }[]
  expect(egress.flatMap(({ ports }) => ports.map(({ port }) => port))).toEqual([5432, 7233, 443])
  expect(JSON.stringify(egress)).toContain('"except":["10.0.0.0/8"')
})

test('without the component nothing knows of applications', () => {
  expect(JSON.stringify(readManifests('base'))).not.toContain('WEBHOOKS_FILE')
})
