import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import ts from 'typescript'
import type { InMemoryService } from '../../testing/index.js'
import { buildPackage } from '../buildPackage.js'

const run = promisify(execFile)
const root = join(import.meta.dirname, '../../..')
const peers = ['react', 'react-dom', 'viem', '@wagmi/core', '@types/react', '@types/node', 'csstype', 'undici-types']

/** Builds, packs and unpacks the package into an application that has only the peers and nothing else of this repository. */
export async function installPackage() {
  const work = await mkdtemp(join(tmpdir(), 'perigee-sdk-'))
  const dist = join(work, 'dist')
  await buildPackage(dist)
  const { stdout } = await run('npm', ['pack', dist, '--pack-destination', work, '--silent'], { cwd: work })
  const tarball = join(work, stdout.trim().split('\n').at(-1) ?? '')
  const app = join(work, 'app')
  const installed = join(app, 'node_modules/@perigee/sdk')
  await mkdir(installed, { recursive: true })
  await run('tar', ['-xzf', tarball, '--strip-components=1', '-C', installed])
  for (const name of peers) {
    const link = join(app, 'node_modules', name)
    await mkdir(dirname(link), { recursive: true })
    await symlink(join(root, 'node_modules', name), link)
  }
  await writeFile(join(app, 'package.json'), '{"type":"module"}')
  return { app, installed, tarball, remove: () => rm(work, { recursive: true, force: true }) }
}

/** Writes the README's examples into the application, with the addresses of a service that runs. */
export async function writeExamples(app: string, service?: InMemoryService): Promise<string[]> {
  const readme = await readFile(join(import.meta.dirname, '../../README.md'), 'utf8')
  const names: string[] = []
  for (const [, name = '', code = ''] of readme.matchAll(/```tsx?\n\/\/ example: (\S+)\n([\s\S]*?)```/g)) {
    names.push(name)
    const running = service
      ? code.replaceAll('http://localhost:8080', service.url).replaceAll('http://localhost:8545', service.rpcUrl)
      : code
    await writeFile(join(app, name), running)
  }
  return names
}

const options: ts.CompilerOptions = {
  noEmit: true,
  strict: true,
  target: ts.ScriptTarget.ES2022,
  module: ts.ModuleKind.NodeNext,
  jsx: ts.JsxEmit.ReactJSX,
  types: ['node'],
}

/**
 * What the compiler says about these files of an application, and about the types of our package as an application sees
 * them that checks those of its libraries. A peer's own types are not ours to correct.
 */
export function compile(app: string, files: string[]): string[] {
  const typeRoots = [join(app, 'node_modules/@types')]
  const program = ts.createProgram(
    files.map((file) => join(app, file)),
    { ...options, typeRoots },
  )
  const ours = program.getSourceFiles().filter(({ fileName }) => !/node_modules\/(?!@perigee\/)/.test(fileName))
  const found = [
    ...program.getOptionsDiagnostics(),
    ...program.getGlobalDiagnostics(),
    ...ours.flatMap((file) => [...program.getSyntacticDiagnostics(file), ...program.getSemanticDiagnostics(file)]),
  ]
  return found.map(({ file, messageText }) => {
    return `${file?.fileName ?? ''}: ${ts.flattenDiagnosticMessageText(messageText, ' ')}`
  })
}
