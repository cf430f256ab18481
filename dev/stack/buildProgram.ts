import { createHash, randomUUID } from 'node:crypto'
import { access, mkdir, readdir, readFile, rename, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { build, type Plugin } from 'esbuild'

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
  if (await exists(outfile)) {
    await utimes(outfile, new Date(), new Date()).catch(() => undefined) // still in use
    return outfile
  }
  const partial = `${outfile}.${randomUUID()}`
  await writeFile(partial, contents)
  await rename(partial, outfile) // whole or not at all, even with another process at it
  return outfile
}

async function forgetOld(): Promise<void> {
  for (const name of await readdir(dir)) {
    const file = join(dir, name)
    const { mtimeMs } = await stat(file).catch(() => ({ mtimeMs: Date.now() }))
    if (Date.now() - mtimeMs > keptMs) await rm(file, { force: true })
  }
}

const exists = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  )

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
