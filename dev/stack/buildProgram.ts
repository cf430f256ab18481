import { createHash } from 'node:crypto'
import { mkdir, readdir, readFile, rm, stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { build, type Plugin } from 'esbuild'
import { replaceFile } from '../keepFile.js'

/** Inside the project: packages resolve from here, and no other user may write to it. What lies here is executed. */
const dir = fileURLToPath(new URL('../../node_modules/.cache/perigee-programs', import.meta.url))
const keptMs = 24 * 60 * 60 * 1000

/**
 * A program as production runs it, in one file of plain JavaScript beside its packages: it starts in a second or two
 * where `tsx` takes five. Building takes a quarter of a second; the file name contains the hash of its contents, so any
 * number of processes may build at once. Returns the file.
 */
export async function buildProgram(entry: URL): Promise<string> {
  const result = await build({
    entryPoints: [fileURLToPath(entry)],
    bundle: true,
    platform: 'node',
    target: 'node20.19',
    format: 'esm',
    logLevel: 'warning',
    write: false,
    plugins: [packagesOutside, whereItWas],
  })
  const contents = result.outputFiles?.[0]?.contents ?? new Uint8Array()
  const hash = createHash('sha256').update(contents).digest('hex').slice(0, 24)
  const name = `${basename(dirname(entry.pathname))}-${basename(entry.pathname, '.ts')}`
  const outfile = join(dir, `${name}.${hash}.mjs`)
  await mkdir(dir, { recursive: true })
  await forgetOld()
  await replaceFile(outfile, contents) // written every time, so that its age says when it was last used
  return outfile
}

async function forgetOld(): Promise<void> {
  for (const name of await readdir(dir)) {
    const file = join(dir, name)
    const { mtimeMs } = await stat(file).catch(() => ({ mtimeMs: Date.now() }))
    if (Date.now() - mtimeMs > keptMs) await rm(file, { force: true })
  }
}

const packagesOutside: Plugin = {
  name: 'packages-outside',
  setup({ onResolve }) {
    onResolve({ filter: /^[^./]/ }, ({ path, kind }) =>
      kind === 'entry-point' || path.startsWith('@perigee/') ? undefined : { path, external: true },
    )
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
