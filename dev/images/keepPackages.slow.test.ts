import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { keepPackages } from './keepPackages.mjs'
import { writeSbom } from './writeSbom.mjs'

const root = fileURLToPath(new URL('../../', import.meta.url))
const lock = JSON.parse(await readFile(join(root, 'package-lock.json'), 'utf8')) as {
  packages: Record<string, { dev?: boolean; version?: string }>
}
// The sources load what the built programs load; the bundles of our own code add about 3 MB.
const thread = 'node_modules/@temporalio/worker/lib/workflow/workflow-worker-thread.js'
const entries = { api: ['api/main.ts', 'database/migrate.ts'], worker: ['workers/main.ts', thread] }
let out: string
let kept: Record<string, { packages: string[]; bytes: number }>
beforeAll(async () => {
  out = await mkdtemp(join(tmpdir(), 'perigee-images-'))
  const images = Object.entries(entries).map(([name, list]) => ({ entries: list, out: join(out, name) }))
  const [api, worker] = await keepPackages({ root, images })
  kept = { api: api!, worker: worker! }
})
afterAll(() => rm(out, { recursive: true, force: true }), 60_000)

test.each([
  ['api', 57],
  ['worker', 120],
])('the image of %s gets what it loads, nothing of development, and stays small', async (name, megabytes) => {
  const folder = join(out, name)
  const { packages, bytes } = kept[name]!
  expect(bytes / 1e6).toBeLessThan(megabytes)
  expect(packages).toEqual(expect.arrayContaining(['node_modules/typeorm', 'node_modules/pg', 'node_modules/pino']))
  expect(packages.filter((key) => lock.packages[key]?.dev)).toEqual([])
  const files = await readdir(folder, { recursive: true })
  expect(files.filter((file) => /\.d\.[cm]?ts$|\.map$|\.md$/.test(file))).toEqual([])
  const natives = files.filter((file) => file.includes('core-bridge') && file.endsWith('.node'))
  expect(natives).toHaveLength(name === 'worker' ? 1 : 0)
  if (name === 'worker') expect(files).toContain('node_modules/source-map/lib/mappings.wasm')
})

test('the bill of materials names every package with version, address and hash', async () => {
  const file = join(out, 'sbom.json')
  await writeSbom({ root, name: 'api', packages: ['node_modules/@noble/hashes', 'node_modules/pg'], file })
  const { bomFormat, components } = JSON.parse(await readFile(file, 'utf8')) as {
    bomFormat: string
    components: { name: string; version: string; purl: string; hashes: { alg: string; content: string }[] }[]
  }
  expect(bomFormat).toBe('CycloneDX')
  expect(components.map(({ name }) => name)).toEqual(['@noble/hashes', 'pg'])
  const version = lock.packages['node_modules/@noble/hashes']?.version
  expect(components[0]?.purl).toBe(`pkg:npm/%40noble/hashes@${version}`)
  for (const { hashes } of components) {
    expect(hashes).toEqual([{ alg: 'SHA-512', content: expect.stringMatching(/^[0-9a-f]{128}$/) as string }])
  }
  const unknown = writeSbom({ root, name: 'api', packages: ['node_modules/no-such-package'], file })
  await expect(unknown).rejects.toThrow('not in the lock file')
})
