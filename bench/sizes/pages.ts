import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { buildPages } from '../../tests/browser/buildPages.js'

/** The component that each address shows, by its source. */
const pages = {
  'wallet page': 'wallet/WalletPage.tsx',
  'proof page': 'proof/ProofPage.tsx',
  'explorer page': 'explore/ExplorePage.tsx',
} as const
export type PageName = keyof typeof pages

/** A chunk in Vite's manifest. */
interface Chunk {
  file: string
  css?: string[]
  imports?: string[]
}

/** Gzipped bytes that a browser loads before it shows each page: document, styles and scripts, React and viem included. */
export async function weighPages(): Promise<{ name: PageName; gzippedBytes: number; scripts: number }[]> {
  const folder = await mkdtemp(join(tmpdir(), 'perigee-pages-'))
  try {
    await buildPages(folder, '--manifest', 'manifest.json')
    const chunks = JSON.parse(await readFile(join(folder, 'manifest.json'), 'utf8')) as Record<string, Chunk>
    const weights = Object.entries(pages).map(async ([name, source]) => {
      const files = [...filesOf(chunks, ['index.html', source])]
      const weigh = async (names: string[]) => {
        const sizes = names.map(async (file) => gzipSync(await readFile(join(folder, file)), { level: 9 }).length)
        return (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0)
      }
      const scripts = await weigh(files.filter((file) => file.endsWith('.js')))
      return { name: name as PageName, scripts, gzippedBytes: await weigh(['index.html', ...files]) }
    })
    return await Promise.all(weights)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

function filesOf(chunks: Record<string, Chunk>, entries: string[]): Set<string> {
  const reached = new Set(entries)
  const files = new Set<string>()
  for (const key of reached) {
    const chunk = chunks[key]
    if (!chunk) throw new Error(`the build has no ${key}`)
    for (const file of [chunk.file, ...(chunk.css ?? [])]) files.add(file)
    for (const next of chunk.imports ?? []) reached.add(next)
  }
  return files
}
