import { copyFile, readdir, rename } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { runOnLeash } from './runOnLeash.js'

export interface GoProgram {
  /** A folder beside this file with a module of our own that only requires the program's. */
  module: string
  /** The package of the program. */
  package: string
}

// Without C, which would need a compiler and a quarter more time, and without symbols.
const flags = ['-mod=mod', '-trimpath', '-ldflags', '-s -w']
const fixed = { GOFLAGS: '-buildvcs=false', CGO_ENABLED: '0' }

/**
 * Builds a program with Go. Our module's `go.mod` fixes the version, its `go.sum` the bytes of every source. `-mod=mod` lets Go
 * add what another system needs; Go checks that with its checksum database.
 */
export async function buildWithGo(program: GoProgram, scratch: string, target: string, env: NodeJS.ProcessEnv) {
  const folder = fileURLToPath(new URL(`./${program.module}/`, import.meta.url))
  for (const name of await readdir(folder)) await copyFile(join(folder, name), join(scratch, name))
  const built = join(scratch, 'program')
  const options = { cwd: scratch, env: { ...env, ...fixed }, timeoutMs: 60 * 60_000 }
  await runOnLeash('go', ['build', ...flags, '-o', built, program.package], options)
  await rename(built, target)
}
