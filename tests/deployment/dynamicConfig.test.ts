import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { parse } from 'yaml'

/**
 * Keys that the server of docker-compose.yml knows, read in its source (`common/dynamicconfig/constants.go`), each with
 * its type. The server only warns about a key it does not know, so a typo would go unnoticed. This list says what we looked
 * up for this version; it does not ask a server. `temporal-server validate-dynamic-config <file>` does.
 */
const server = '1.31.2'
const knownKeys: Record<string, 'boolean' | 'number' | 'string'> = {
  'matching.enableFairness': 'boolean', // by task queue; a plain value, or a gradual change, which we do not use
}

const root = new URL('../../', import.meta.url)
const settings = parse(await readFile(new URL('temporal/server/dynamicconfig.yaml', root), 'utf8')) as Record<
  string,
  { value: unknown; constraints?: object }[]
>

test('the Temporal server is the one whose keys we looked up', async () => {
  const compose = await readFile(new URL('docker-compose.yml', root), 'utf8')
  expect(compose).toContain(`image: temporalio/server:${server}\n`)
})

test('every dynamic setting has a known key, and values of its type', () => {
  for (const [key, values] of Object.entries(settings)) {
    expect(Object.keys(knownKeys), key).toContain(key)
    for (const entry of values) {
      expect(typeof entry.value, key).toBe(knownKeys[key])
      expect(['value', 'constraints'], key).toEqual(expect.arrayContaining(Object.keys(entry)))
    }
  }
})

test('the local stack sets the same', async () => {
  const stack = await readFile(new URL('dev/stack/components/temporal.ts', root), 'utf8')
  const set = [...stack.matchAll(/'--dynamic-config-value', '([^'=]+)=([^']+)'/g)]
  expect(Object.fromEntries(set.map(([, key, value]) => [key, value]))).toEqual(
    Object.fromEntries(Object.entries(settings).map(([key, [first]]) => [key, String(first?.value)])),
  )
})
