import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { build, type BuildFailure } from 'esbuild'

const external = ['react', 'react/*', 'react-dom', 'react-dom/*', 'viem', 'viem/*', 'wagmi', '@wagmi/*']

/** Bundles `source` as if it were a file in `folder`. Returns the size that a browser must load before anything runs. */
export async function measureSize(
  source: string,
  folder: string,
): Promise<{ gzippedBytes: number; leftOut: readonly string[] }> {
  const bundle = (leftOut: readonly string[]) =>
    build({
      stdin: { contents: source, resolveDir: folder, sourcefile: 'entry.ts', loader: 'ts' },
      outdir: join(folder, 'out'),
      bundle: true,
      minify: true,
      write: false,
      metafile: true,
      splitting: true, // code that a package loads later is not counted
      format: 'esm',
      platform: 'browser',
      target: 'es2022',
      jsx: 'automatic',
      logLevel: 'silent',
      define: { 'process.env.NODE_ENV': '"production"' },
      loader: { '.css': 'empty', '.svg': 'dataurl', '.png': 'dataurl', '.woff2': 'empty' },
      external: [...external, ...leftOut],
    })
  let leftOut: string[] = []
  const result = await bundle(leftOut).catch((failure: BuildFailure) => {
    leftOut = missingPackages(failure)
    return bundle(leftOut)
  })
  const files = new Map(result.outputFiles.map(({ path, contents }) => [path, contents]))
  const outputs = Object.entries(result.metafile.outputs)
  const first = outputs.find(
    ([, { entryPoint }]) => entryPoint === 'entry.ts' || entryPoint?.endsWith('/entry.ts'),
  )?.[0]
  if (first === undefined) throw new Error('the bundle has no entry')
  const reached = new Set([first])
  for (const path of reached) {
    for (const { path: next, kind, external } of result.metafile.outputs[path]?.imports ?? []) {
      if (kind === 'import-statement' && external !== true) reached.add(next)
    }
  }
  let gzippedBytes = 0
  for (const path of reached) {
    const contents = [...files].find(([file]) => file.endsWith(path.slice(path.lastIndexOf('/'))))?.[1]
    gzippedBytes += gzipSync(contents ?? '', { level: 9 }).length
  }
  return { gzippedBytes, leftOut }
}

/** Optional packages that are imported and not installed. Any other error is thrown again. */
function missingPackages(failure: BuildFailure): string[] {
  const names = (failure.errors ?? []).map(({ text }) => /^Could not resolve "([^"./][^"]*)"/.exec(text)?.[1])
  if (names.length === 0 || names.includes(undefined)) throw failure
  return [...new Set(names as string[])]
}
