import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { build } from 'esbuild'
import { expect, test } from 'vitest'
import * as fromSource from './builtBundle.js'

test('a program in dist finds the workflows beside it, where `npm run build` puts them', async () => {
  expect(fromSource.builtBundlePath).toBe(fileURLToPath(new URL('../dist/workflows.cjs', import.meta.url)))
  const folder = await mkdtemp(join(tmpdir(), 'perigee-dist-'))
  try {
    const outfile = join(folder, 'dist/worker.mjs')
    const entry = fileURLToPath(new URL('builtBundle.ts', import.meta.url))
    await build({ entryPoints: [entry], outfile, bundle: true, platform: 'node', format: 'esm' })
    const built = (await import(pathToFileURL(outfile).href)) as typeof fromSource
    expect(built.builtBundlePath).toBe(join(folder, 'dist/workflows.cjs'))
    expect(built.builtTracedBundlePath).toBe(join(folder, 'dist/workflowsTraced.cjs'))
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
})
