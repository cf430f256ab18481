import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { searchAttributeTypes } from '@perigee/core/workflow'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { lookForTemporalServer } from '../../dev/stack/binaries/index.js'
import { run } from '../../dev/stack/binaries/run.js'
import type { ServerOptions } from '../../dev/stack/components/ServerOptions.js'
import { createTemporal } from '../../dev/stack/components/temporal.js'

/**
 * Keys that the servers of docker-compose.yml and of `npm start -- --cluster` know, read in their source
 * (`common/dynamicconfig/constants.go`), each with its type. A server only warns about a key it does not know, so a typo
 * would go unnoticed. The last test asks the server itself, where this machine has it.
 */
const server = '1.31.2'
const knownKeys: Record<string, 'boolean' | 'number' | 'string'> = {
  'matching.enableFairness': 'boolean', // by task queue; a plain value, or a gradual change, which we do not use
  'history.MaxBufferedQueryCount': 'number',
  'system.enableRingpopTLS': 'boolean',
  'system.ringpopApproximateMaxPropagationTime': 'string',
  'history.alignMembershipChange': 'string',
  'history.shutdownDrainDuration': 'string',
  'matching.alignMembershipChange': 'string',
  'matching.shutdownDrainDuration': 'string',
  'frontend.shutdownDrainDuration': 'string',
  'frontend.shutdownFailHealthCheckDuration': 'string',
}

type Settings = Record<string, { value: unknown; constraints?: object }[]>
const root = new URL('../../', import.meta.url)
const files = ['temporal/server/dynamicconfig.yaml', 'temporal/server/cluster.dynamicconfig.yaml']
const read = async (file: string) => parse(await readFile(new URL(file, root), 'utf8')) as Settings
const settings = await read('temporal/server/dynamicconfig.yaml')
const temporalServer = (await lookForTemporalServer(process.env))?.server

test('the Temporal server is the one whose keys we looked up', async () => {
  const compose = await readFile(new URL('docker-compose.yml', root), 'utf8')
  expect(compose).toContain(`image: temporalio/server:${server}\n`)
})

test.each(files)('every setting of %s has a known key, and values of its type', async (file) => {
  for (const [key, values] of Object.entries(await read(file))) {
    expect(Object.keys(knownKeys), key).toContain(key)
    for (const entry of values) {
      expect(typeof entry.value, key).toBe(knownKeys[key])
      expect(['value', 'constraints'], key).toEqual(expect.arrayContaining(Object.keys(entry)))
    }
  }
})

test('the local stack sets the same', () => {
  const options = { dir: '', ports: {}, programs: {}, durable: true, env: {} } as unknown as ServerOptions
  const { args } = createTemporal(options).command()
  const set = args.flatMap((arg, at) => (args[at - 1] === '--dynamic-config-value' ? [arg.split('=')] : []))
  expect(Object.fromEntries(set)).toEqual(
    Object.fromEntries(Object.entries(settings).map(([key, [first]]) => [key, String(first?.value)])),
  )
})

test.skipIf(!temporalServer).each(files)('the server itself accepts %s', async (file) => {
  const path = fileURLToPath(new URL(file, root))
  const printed = await run(temporalServer ?? '', ['validate-dynamic-config', path])
  expect(printed.trim()).toBe(path) // anything more is a warning or an error
})

test('a cluster has all settings of the single server', async () => {
  expect(await read('temporal/server/cluster.dynamicconfig.yaml')).toMatchObject(settings)
})

test('the namespace of docker-compose.yml gets every search attribute', async () => {
  const script = await readFile(new URL('temporal/server/createNamespace.sh', root), 'utf8')
  const created = [...script.matchAll(/^create (\w+) '([^']+)'$/gm)].flatMap(([, type, names = '']) =>
    names.split(' ').map((name) => [name, type]),
  )
  expect(Object.fromEntries(created)).toEqual(searchAttributeTypes)
})
