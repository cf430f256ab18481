import { gzipSync } from 'node:zlib'
import { build } from 'esbuild'
import { expect, test } from 'vitest'

/** Minified and gzipped size of an entry point without its peers. */
async function size(entry: string): Promise<number> {
  const { outputFiles } = await build({
    entryPoints: [new URL(entry, import.meta.url).pathname],
    bundle: true,
    minify: true,
    write: false,
    format: 'esm',
    target: 'es2022',
    jsx: 'automatic',
    external: ['react', 'react/*', 'viem', 'viem/*', '@wagmi/core'],
  })
  return gzipSync(outputFiles[0]?.contents ?? '', { level: 9 }).length
}

test.each([
  ['index.ts', 6000],
  ['client/index.ts', 5000],
  ['proof.ts', 3000],
  ['wagmi.ts', 3000],
  ['eip1193.ts', 3000],
])('%s is at most %i bytes gzipped', async (entry, budget) => {
  const bytes = await size(entry)
  expect(bytes).toBeGreaterThan(500) // an empty bundle would pass for the wrong reason
  expect(bytes).toBeLessThanOrEqual(budget)
})
