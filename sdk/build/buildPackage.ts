import { cp, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'
import ts from 'typescript'
import { inlineTypes } from './inlineTypes.js'

const sdk = dirname(import.meta.dirname)
const root = dirname(sdk)

interface Manifest {
  exports: Record<string, string>
  scripts?: object
  [key: string]: unknown
}

/** Compiles the SDK into a folder that can be packed and published as it is: modules, types, manifest, README, licence. */
export async function buildPackage(outDir: string): Promise<void> {
  await rm(outDir, { recursive: true, force: true })
  const manifest = JSON.parse(await readFile(join(sdk, 'package.json'), 'utf8')) as Manifest
  const entries = Object.values(manifest.exports).filter((file) => file.endsWith('.ts'))
  const files = compile(entries.map((file) => join(sdk, file)))
  for (const [file, text] of files) {
    await mkdir(dirname(join(outDir, file)), { recursive: true })
    await writeFile(join(outDir, file), text)
  }
  await writeFile(join(outDir, 'package.json'), `${JSON.stringify(publishable(manifest), null, 2)}\n`)
  await cp(join(sdk, 'README.md'), join(outDir, 'README.md'))
  await cp(join(root, 'LICENSE'), join(outDir, 'LICENSE'))
}

/** One module in, one module out: `'use client'` stays at the top of exactly the files that need it. */
function compile(entries: string[]): Map<string, string> {
  const config = ts.readConfigFile(join(root, 'tsconfig.json'), (path) => ts.sys.readFile(path)).config as object
  const base = ts.parseJsonConfigFileContent(config, ts.sys, root).options
  const emitted = { noEmit: false, declaration: true, rootDir: root, outDir: '/out', removeComments: false }
  const options = { ...base, ...emitted, noCheck: true } // `npm run typecheck` checks; emitting reports no such error anyway
  const program = ts.createProgram(entries, options)
  const files = new Map<string, string>()
  const { diagnostics } = program.emit(undefined, (path, text) => {
    const file = relative('/out/sdk', path)
    if (!file.startsWith('..')) files.set(file, text)
  })
  if (diagnostics.length > 0) throw new Error(ts.formatDiagnostics(diagnostics, ts.createCompilerHost(options)))
  files.set(
    'types.d.ts',
    inlineTypes(program, join(sdk, 'types.ts'), (file) => !file.includes('/node_modules/')),
  )
  return files
}

/** The manifest of the built package: entry points as compiled, and no scripts, so that installing runs nothing. */
function publishable({ scripts: _scripts, exports, ...manifest }: Manifest): object {
  const point = (file: string) => {
    if (!file.endsWith('.ts')) return file
    const stem = file.slice(0, -'.ts'.length)
    return { types: `${stem}.d.ts`, default: `${stem}.js` }
  }
  const entries = Object.entries(exports).map(([name, file]) => [name, point(file)])
  return { ...manifest, files: ['**/*.js', '**/*.d.ts'], exports: Object.fromEntries(entries) }
}
