import { copyFile, rename } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { runOnLeash } from './runOnLeash.js'

const buildTimeoutMs = 40 * 60_000
const ownModule = fileURLToPath(new URL('./kubo/go.mod', import.meta.url))

/**
 * Builds Kubo with Go from a module of our own that only requires it. `-mod=mod` lets Go complete the module file; the
 * version is fixed there, and Go checks every source against its checksum database.
 */
export async function buildKubo(scratch: string, target: string, env: NodeJS.ProcessEnv): Promise<void> {
  await copyFile(ownModule, join(scratch, 'go.mod'))
  const program = join(scratch, 'ipfs')
  await runOnLeash('go', ['build', '-mod=mod', '-trimpath', '-o', program, 'github.com/ipfs/kubo/cmd/ipfs'], {
    cwd: scratch,
    env: { ...env, GOFLAGS: '-buildvcs=false' },
    timeoutMs: buildTimeoutMs,
  })
  await rename(program, target)
}
