import { gzipSync } from 'node:zlib'
import { build } from 'esbuild'
import { expect, test } from 'vitest'

/** Minified and gzipped: an entry point without its peers, and what is loaded only when a passkey is needed. */
async function sizes(entry: string): Promise<{ entry: number; onDemand: number }> {
  const { outputFiles, metafile } = await build({
    entryPoints: [new URL(entry, import.meta.url).pathname],
    bundle: true,
    minify: true,
    write: false,
    metafile: true,
    splitting: true,
    outdir: 'out',
    format: 'esm',
    target: 'es2022',
    jsx: 'automatic',
    external: ['react', 'react/*', 'viem', 'viem/*', '@wagmi/core'],
  })
  const outputs = Object.entries(metafile.outputs)
  const first = outputs.find(([, { entryPoint }]) => entryPoint?.endsWith(entry))?.[0] ?? ''
  const atOnce = new Set([first])
  for (const name of atOnce) {
    for (const { path, kind } of metafile.outputs[name]?.imports ?? []) {
      if (kind === 'import-statement' && metafile.outputs[path]) atOnce.add(path)
    }
  }
  const sum = { entry: 0, onDemand: 0 }
  for (const { path, contents } of outputFiles) {
    const isAtOnce = [...atOnce].some((name) => path.endsWith(name))
    sum[isAtOnce ? 'entry' : 'onDemand'] += gzipSync(contents, { level: 9 }).length
  }
  return sum
}

test.each([
  ['index.ts', 6000],
  ['client/index.ts', 5000],
  ['proof.ts', 3000],
  ['wagmi.ts', 3000],
  ['eip1193.ts', 3000],
])('%s is at most %i bytes gzipped', async (entry, budget) => {
  const { entry: bytes } = await sizes(entry)
  expect(bytes).toBeGreaterThan(500) // an empty bundle would pass for the wrong reason
  expect(bytes).toBeLessThanOrEqual(budget)
})

test('what passkeys need is at most 5000 bytes, and is not part of the entry', async () => {
  const { onDemand } = await sizes('client/index.ts')
  expect(onDemand).toBeGreaterThan(1000)
  expect(onDemand).toBeLessThanOrEqual(5000)
})
