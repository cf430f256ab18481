import { mkdir, readFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { build, type Plugin } from 'esbuild'

const dir = fileURLToPath(new URL('../../node_modules/.cache/perigee-programs', import.meta.url))

/**
 * A program as production runs it, in one file of plain JavaScript beside its packages: it starts in a second or two
 * where `tsx` takes five, and what is measured is not the compiler. Returns the file.
 */
export async function buildProgram(entry: URL): Promise<string> {
  const outfile = join(dir, `${basename(entry.pathname, '.ts')}.${process.pid}.mjs`)
  await mkdir(dir, { recursive: true })
  await build({
    entryPoints: [fileURLToPath(entry)],
    outfile,
    ...{ bundle: true, platform: 'node', target: 'node20.19', format: 'esm', logLevel: 'warning' },
    plugins: [packagesOutside, whereItWas],
  })
  return outfile
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
