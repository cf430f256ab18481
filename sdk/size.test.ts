import { gzipSync } from 'node:zlib'
import { build } from 'esbuild'
import { expect, test } from 'vitest'

/** Minified and gzipped: an entry point without its peers, and each part that is loaded on demand, by its first module. */
async function sizes(entry: string): Promise<{ entry: number; onDemand: Record<string, number> }> {
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
  const found = { entry: 0, onDemand: {} as Record<string, number> }
  for (const { path, contents } of outputFiles) {
    const bytes = gzipSync(contents, { level: 9 }).length
    const [name = '', output] = outputs.find(([file]) => path.endsWith(file)) ?? []
    if (atOnce.has(name)) found.entry += bytes
    else found.onDemand[output?.entryPoint?.replace(/^sdk\//, '') ?? name] = bytes
  }
  return found
}

test.each([
  ['index.ts', 6000],
  ['client/index.ts', 5000],
  ['proof.ts', 3000],
  ['wagmi.ts', 3500],
  ['eip1193.ts', 3500],
])('%s is at most %i bytes gzipped', async (entry, budget) => {
  const { entry: bytes } = await sizes(entry)
  expect(bytes).toBeGreaterThan(500) // an empty bundle would pass for the wrong reason
  expect(bytes).toBeLessThanOrEqual(budget)
})

test('transactions, messages and passkeys are loaded when they are first needed, each within its budget', async () => {
  const budgets: Record<string, number> = {
    'client/signing/signAndSend.ts': 1800,
    'messages/index.ts': 7600,
    'passkeys/index.ts': 5200,
  }
  const { onDemand } = await sizes('client/index.ts')
  expect(Object.keys(onDemand).sort()).toEqual(Object.keys(budgets))
  for (const [part, bytes] of Object.entries(onDemand)) {
    expect(bytes, part).toBeGreaterThan(1000)
    expect(bytes, part).toBeLessThanOrEqual(budgets[part] ?? 0)
  }
})
