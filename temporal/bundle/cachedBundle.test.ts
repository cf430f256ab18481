import { mkdtemp, readdir, readFile, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { cachedBundle } from './cachedBundle.js'

let dir: string
let made = 0
const bundle = async () => {
  made++
  await new Promise((resolve) => setTimeout(resolve, 50))
  return { code: `bundle ${made}` }
}

beforeEach(async () => {
  made = 0
  dir = await mkdtemp(join(tmpdir(), 'perigee-bundles-'))
})
afterEach(() => rm(dir, { recursive: true }))

test('workers that start at once, and those that start later, share one bundle', async () => {
  const paths = await Promise.all([1, 2, 3, 4].map(() => cachedBundle(dir, bundle)))
  paths.push(await cachedBundle(dir, bundle))
  expect(new Set(paths.map(({ codePath }) => codePath)).size).toBe(1)
  expect(made).toBe(1)
  expect(await readFile(paths[0]?.codePath ?? '', 'utf8')).toBe('bundle 1')
  expect(await readdir(dir)).toHaveLength(1)
})

test('a worker that died while bundling does not hold up the next, and its bundle is not half there', async () => {
  const { codePath } = await cachedBundle(dir, bundle)
  await rm(codePath)
  await writeFile(`${codePath}.lock`, '')
  const longAgo = new Date(Date.now() - 120_000)
  await utimes(`${codePath}.lock`, longAgo, longAgo)
  await writeFile(`${codePath}.4711`, 'half a bun')
  await cachedBundle(dir, bundle)
  expect(await readFile(codePath, 'utf8')).toBe('bundle 2')
})

test('a bundle that could not be made is tried again by the next', async () => {
  await expect(cachedBundle(dir, () => Promise.reject(new Error('syntax')))).rejects.toThrow('syntax')
  await expect(cachedBundle(dir, bundle)).resolves.toBeDefined()
})
