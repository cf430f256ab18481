import { readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { run } from '../binaries/run.js'
import { waitUntil } from './waitUntil.js'

interface Holder {
  supervisor: number
  leash: number
}

/** One stack per folder. */
export class AlreadyRunning extends Error {}

/**
 * Takes the folder for this process. An earlier run that was killed may still be stopping its programs; then we wait for
 * its leash, or their ports and files would still be in use.
 */
export async function takeRunLock(dir: string, leash: number, onWait: () => void): Promise<() => Promise<void>> {
  const file = join(dir, 'running.json')
  const holder = await readFile(file, 'utf8').then(
    (text) => JSON.parse(text) as Holder,
    () => undefined,
  )
  if (holder && (await isOurs(holder.supervisor, 'start'))) {
    const pid = holder.supervisor
    throw new AlreadyRunning(
      `Perigee already runs here (process ${pid}); stop that one first, with Ctrl-C or: kill ${pid}`,
    )
  }
  if (holder && (await isOurs(holder.leash, 'leash.mjs'))) {
    onWait()
    const hasEnded = async () => !(await isOurs(holder.leash, 'leash.mjs'))
    await waitUntil('the end of the earlier run', hasEnded, { timeoutMs: 30_000 })
  }
  await writeFile(file, JSON.stringify({ supervisor: process.pid, leash } satisfies Holder))
  return () => rm(file, { force: true })
}

/** Whether that process runs and is one of ours; process ids are reused, so it may be another program. */
async function isOurs(pid: number, word: string): Promise<boolean> {
  try {
    process.kill(pid, 0)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EPERM') return false
  }
  if (pid === process.pid) return false
  const fromProc = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => undefined)
  const command = fromProc ?? (await run('ps', ['-p', String(pid), '-o', 'args=']).catch(() => ''))
  return command.includes(word)
}
