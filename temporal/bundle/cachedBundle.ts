import { createHash } from 'node:crypto'
import { mkdir, open, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { bundleTracedWorkflows, bundleWorkflows } from './workflowBundle.js'

const root = fileURLToPath(new URL('../..', import.meta.url))
/** Inside the project, not in a folder that other users of the machine may write to: what lies here is run. */
const cacheDir = join(root, 'node_modules/.cache/perigee-workflows')
/** A bundle takes seconds to make; a process that holds the lock for longer has died. */
const patienceMs = 60_000
const keptMs = 24 * 60 * 60 * 1000

/** Read once: a process runs the sources that it was started from. */
let sources: Promise<string> | undefined

/**
 * The workflow bundle of the sources as they are, made once: bundling takes seconds, during which a worker that was
 * started again would leave its tasks alone. Any number of workers may start at once; one of them bundles.
 */
export async function cachedBundle(
  dir = cacheDir,
  bundle: () => Promise<{ code: string }> = () => bundleWorkflows(),
): Promise<{ codePath: string }> {
  const codePath = join(dir, `${await (sources ??= hashOfSources())}.cjs`)
  await mkdir(dir, { recursive: true })
  for (const until = Date.now() + patienceMs; !(await ageOf(codePath)); await sleep(100)) {
    const lock = `${codePath}.lock`
    const locked = await ageOf(lock)
    if (locked && (locked.ms > patienceMs || Date.now() > until)) await rm(lock, { force: true })
    if (!(await create(lock))) continue
    try {
      const partial = `${codePath}.${process.pid}`
      await writeFile(partial, (await bundle()).code)
      await rename(partial, codePath) // whole or not at all, also when another process bundles too
      await forgetOld(dir)
    } finally {
      await rm(lock, { force: true })
    }
  }
  return { codePath }
}

/** The same for workers that trace, in a folder of its own: the sources are the same, the bundle is not. */
export function cachedTracedBundle(): Promise<{ codePath: string }> {
  return cachedBundle(`${cacheDir}-traced`, bundleTracedWorkflows)
}

/** Everything that can end up in the bundle: our sources, the failure converter, and the packages' versions. */
async function hashOfSources(): Promise<string> {
  const hash = createHash('sha256')
  const files = [
    'package-lock.json',
    'temporal/failureConverter.cjs',
    'temporal/bundle/workflowBundle.ts',
    'temporal/codec/refuseForeignInput.ts',
  ]
  for (const folder of ['workflows', 'core']) {
    for (const name of await readdir(join(root, folder), { recursive: true })) {
      if (/\.ts$/.test(name) && !/\.test\.ts$|node_modules|fixtures|testing\//.test(name))
        files.push(join(folder, name))
    }
  }
  for (const file of files.sort()) hash.update(`${file}\0`).update(await readFile(join(root, file)))
  return hash.digest('hex').slice(0, 32)
}

async function ageOf(path: string): Promise<{ ms: number } | null> {
  try {
    return { ms: Date.now() - (await stat(path)).mtimeMs }
  } catch {
    return null
  }
}

async function create(path: string): Promise<boolean> {
  try {
    await (await open(path, 'wx')).close()
    return true
  } catch {
    return false
  }
}

async function forgetOld(dir: string): Promise<void> {
  for (const name of await readdir(dir)) {
    if (((await ageOf(join(dir, name)))?.ms ?? 0) > keptMs) await rm(join(dir, name), { force: true })
  }
}
