import { createHash } from 'node:crypto'
import { readdirSync, rmSync, statSync } from 'node:fs'
import { mkdir, readFile, utimes } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { build, type Plugin } from 'esbuild'
import { replaceFile } from '../../keepFile.js'

/** Inside the project: packages resolve from here, and no other user may write to it. What lies here is executed. */
const dir = fileURLToPath(new URL('../../../node_modules/.cache/perigee-programs', import.meta.url))
const keptMs = 24 * 60 * 60 * 1000

interface Built {
  outfile: string
  startedAt: number
  sources: string[]
}
/** What this process has built: a program that is started again is seldom another one by then. */
const earlier = new Map<string, Built>()

/**
 * A program as production runs it, in one file of plain JavaScript beside its packages: it starts in a second, where
 * `tsx` takes five. Building takes a quarter of a second; the file name contains the hash of its contents, so any
 * number of processes may build at once. Returns the file.
 */
export async function buildProgram(entry: URL): Promise<string> {
  const known = earlier.get(entry.href)
  if (known && (await isCurrent(known))) return known.outfile
  const startedAt = Date.now()
  const result = await build({
    entryPoints: [fileURLToPath(entry)],
    bundle: true,
    platform: 'node',
    target: 'node20.19',
    format: 'esm',
    logLevel: 'warning',
    write: false,
    metafile: true,
    plugins: [mostPackagesOutside, whereItWas],
    banner: {
      js: `import { createRequire as requireFrom } from 'node:module'; const require = requireFrom(import.meta.url) // for CommonJS inside`,
    },
  })
  const contents = result.outputFiles?.[0]?.contents ?? new Uint8Array()
  const hash = createHash('sha256').update(contents).digest('hex').slice(0, 24)
  const name = `${basename(dirname(entry.pathname))}-${basename(entry.pathname, '.ts')}`
  const outfile = join(dir, `${name}.${hash}.mjs`)
  await mkdir(dir, { recursive: true })
  await replaceFile(outfile, contents) // written every time, so that its age says when it was last used
  forgetOld()
  const sources = Object.keys(result.metafile.inputs).map((path) => resolve(path))
  earlier.set(entry.href, { outfile, startedAt, sources })
  return outfile
}

/** True, and the file counts as used, unless a source has changed since the build started or the file was removed. */
async function isCurrent({ outfile, startedAt, sources }: Built): Promise<boolean> {
  if (!sources.every((file) => (statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? Infinity) < startedAt))
    return false
  const now = new Date()
  return utimes(outfile, now, now).then(
    () => true,
    () => false,
  )
}

/** In one go: between looking at a file and removing it nobody else should have the time to build it again. */
function forgetOld(): void {
  for (const name of readdirSync(dir)) {
    const file = join(dir, name)
    const age = Date.now() - (statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? Date.now())
    if (age > keptMs) rmSync(file, { force: true })
  }
}

/** Packages of hundreds of small files: read one by one they double the time that a worker takes to start. */
const inside = /^(?:typeorm|pg|viem|kubo-rpc-client|ipns|@libp2p\/crypto|multiformats|zod|@noble\/[a-z]+)(?:\/|$)/

const mostPackagesOutside: Plugin = {
  name: 'most-packages-outside',
  setup({ onResolve }) {
    onResolve({ filter: /^[^./]/ }, ({ path, kind, importer }) => {
      const isInside = inside.test(path) || importer.includes('node_modules') // what they import comes along
      return isInside || kind === 'entry-point' || path.startsWith('@perigee/') ? undefined : { path, external: true }
    })
  },
}

/** Files that are found relative to a source stay there. */
const whereItWas: Plugin = {
  name: 'where-it-was',
  setup({ onLoad }) {
    onLoad({ filter: /\.ts$/ }, async ({ path }) => ({
      contents: (await readFile(path, 'utf8')).replaceAll('import.meta.url', JSON.stringify(pathToFileURL(path).href)),
      loader: 'ts',
    }))
  },
}
