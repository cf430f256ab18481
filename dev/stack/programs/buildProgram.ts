import { createHash } from 'node:crypto'
import { readdirSync, rmSync, statSync } from 'node:fs'
import { mkdir, readFile, utimes } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { build, version, type Plugin } from 'esbuild'
import { replaceFile } from '../../keepFile.js'

/** Inside the project: packages resolve from here, and no other user may write to it. What lies here is executed. */
const dir = fileURLToPath(new URL('../../../node_modules/.cache/perigee-programs', import.meta.url))
const keptMs = 24 * 60 * 60 * 1000

/**
 * What a program was built from: one that is started again, also by another process, is seldom another by then. By `ctime`, because
 * a file that is moved into place, or unpacked by npm, keeps its mtime.
 */
interface Built {
  outfile: string
  sources: Record<string, number>
}
/** Not among what a program imports, but what it is built with. */
const builtWith = [
  '../../../package-lock.json',
  '../../../package.json',
  '../../../tsconfig.json',
  './buildProgram.ts',
].map((path) => fileURLToPath(new URL(path, import.meta.url)))

/**
 * A program as production runs it, in one file of plain JavaScript beside its packages: it starts in a second, where
 * `tsx` takes five. Building takes a second, unless it was built before; the file name contains the hash of its contents, so
 * any number of processes may build at once. Returns the file.
 */
export async function buildProgram(entry: URL): Promise<string> {
  const name = `${basename(dirname(entry.pathname))}-${basename(entry.pathname, '.ts')}`
  const record = join(dir, `${name}.${hashOf(`${version} ${entry.href}`)}.json`)
  const known = await readBuilt(record)
  if (known) return known.outfile
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
      js: `import { createRequire as requireFrom } from 'node:module'; const require = requireFrom(${JSON.stringify(entry.href)}) // for CommonJS inside`,
    },
  })
  const contents = result.outputFiles?.[0]?.contents ?? new Uint8Array()
  const outfile = join(dir, `${name}.${hashOf(contents)}.mjs`)
  await mkdir(dir, { recursive: true })
  await replaceFile(outfile, contents) // written every time, so that its age says when it was last used
  forgetOld()
  const files = [...builtWith, ...Object.keys(result.metafile.inputs).map((path) => resolve(path))]
  const sources = Object.fromEntries(files.map((file) => [file, changedAt(file)]))
  // A source that was changed meanwhile may be in it as it was before or after.
  if (Object.values(sources).every((at) => at < startedAt)) {
    await replaceFile(record, JSON.stringify({ outfile, sources } satisfies Built))
  }
  return outfile
}

const hashOf = (content: string | Uint8Array) => createHash('sha256').update(content).digest('hex').slice(0, 24)
const changedAt = (file: string) => statSync(file, { throwIfNoEntry: false })?.ctimeMs ?? Infinity

/** Null when nothing was built, a source has changed since or the file was removed. Otherwise both files count as used. */
async function readBuilt(record: string): Promise<Built | null> {
  try {
    const built = JSON.parse(await readFile(record, 'utf8')) as Built
    if (Object.entries(built.sources).some(([file, at]) => changedAt(file) !== at)) return null
    const now = new Date()
    for (const file of [built.outfile, record]) await utimes(file, now, now)
    return built
  } catch {
    return null
  }
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
      contents: (await readFile(path, 'utf8')).replaceAll(
        /import\.meta\.url/g, // as a string it would be replaced in here too, where this file is part of a program
        JSON.stringify(pathToFileURL(path).href),
      ),
      loader: 'ts',
    }))
  },
}
