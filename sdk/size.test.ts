import { gzipSync } from 'node:zlib'
import { build } from 'esbuild'
import { expect, test } from 'vitest'

/** Minified and gzipped: an entry point without its peers, and each part that is loaded on demand, by its first module and with what it shares. */
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
  const bytesOf = (name: string) =>
    gzipSync(outputFiles.find(({ path }) => path.endsWith(name))?.contents ?? '', { level: 9 }).length
  /** The output and all that it imports, which load together. */
  const loadedBy = (first: string) => {
    const names = new Set([first])
    for (const name of names) {
      for (const { path, kind } of metafile.outputs[name]?.imports ?? []) {
        if (kind === 'import-statement' && metafile.outputs[path]) names.add(path)
      }
    }
    return [...names]
  }
  const sum = (names: string[]) => names.reduce((total, name) => total + bytesOf(name), 0)
  const parts = Object.entries(metafile.outputs).map(([name, { entryPoint = '' }]) => ({ name, entryPoint }))
  const atOnce = loadedBy(parts.find(({ entryPoint }) => entryPoint.endsWith(entry))?.name ?? '')
  const found = { entry: sum(atOnce), onDemand: {} as Record<string, number> }
  for (const { name, entryPoint } of parts.filter((part) => part.entryPoint !== '' && !atOnce.includes(part.name))) {
    found.onDemand[entryPoint.replace(/^sdk\//, '')] = sum(loadedBy(name).filter((part) => !atOnce.includes(part)))
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
    'client/signing/signAndSend.ts': 1970,
    'messages/signMessage.ts': 7700,
    'passkeys/creation/attestedKey.ts': 850,
    'passkeys/index.ts': 5200,
  }
  const { onDemand } = await sizes('client/index.ts')
  expect(Object.keys(onDemand).sort()).toEqual(Object.keys(budgets))
  for (const [part, bytes] of Object.entries(onDemand)) {
    expect(bytes, part).toBeGreaterThan(500)
    expect(bytes, part).toBeLessThanOrEqual(budgets[part] ?? 0)
  }
})
