import { expect, test } from 'vitest'
import { ConfigError } from '@perigee/core/config'
import { parseConfig } from './config.js'

function problemsOf(env: Record<string, string>): readonly string[] {
  try {
    parseConfig(env)
  } catch (error) {
    if (error instanceof ConfigError) return error.problems
    throw error
  }
  return []
}

test('names every missing variable at once', () => {
  const problems = problemsOf({}).join('\n')
  for (const name of ['DATABASE_URL', 'ENCLAVE_URL', 'CHAIN_RPC_URLS', 'CONTRACT_ADDRESS', 'RELEASES_ADDRESS']) {
    expect(problems).toContain(name)
  }
})

test('only a worker that publishes takes the publishing keys', () => {
  const variable = 'PUBLISHER_PRIVATE_KEYS'
  const asked = (queues: string) => problemsOf({ WORKER_QUEUES: queues }).some((problem) => problem.includes(variable))
  expect([asked('chain'), asked('sign,publish,chain'), asked('sign'), asked('publish')]).toEqual([
    true,
    true,
    false,
    false,
  ])
})

test('a hosted pinning service needs a gateway, through which its blocks are read back', () => {
  const service = { IPFS_PINNING_SERVICES: 'example', IPFS_PINNING_EXAMPLE_URL: 'https://a.test', IPFS_PINNING_EXAMPLE_TOKEN: 't' } // prettier-ignore
  const asked = (env: Record<string, string>) => problemsOf(env).some((problem) => problem.includes('IPFS_PINNING_'))
  expect(problemsOf(service).join()).toContain('IPFS_PINNING_EXAMPLE_GATEWAY')
  expect(asked({ ...service, IPFS_PINNING_EXAMPLE_GATEWAY: 'https://gateway.test' })).toBe(false)
})

test('serves the queue webhooks only where its file is', () => {
  const problem = 'WORKER_QUEUES names webhooks, but WEBHOOKS_FILE is missing'
  expect(problemsOf({ WORKER_QUEUES: 'publish,webhooks' })).toContain(problem)
  expect(problemsOf({})).not.toContain(problem)
  expect(problemsOf({ WEBHOOKS_FILE: '/nowhere/webhooks.json' })).toContain(
    'WEBHOOKS_FILE names a file that cannot be read',
  )
})

test('the build id that an image carries makes no worker a versioned one, and a versioned one needs it', () => {
  const asked = (env: Record<string, string>) =>
    problemsOf(env).filter((problem) => /WORKER_(?:BUILD|DEPL)/.test(problem))
  expect(asked({ WORKER_BUILD_ID: '0.1.0' })).toEqual([])
  expect(asked({ WORKER_BUILD_ID: '0.1.0', WORKER_DEPLOYMENT_NAME: 'perigee' })).toEqual([])
  expect(asked({ WORKER_BUILD_ID: '', WORKER_DEPLOYMENT_NAME: 'perigee' })).toContain('WORKER_BUILD_ID is missing')
})
