import { readFile } from 'node:fs/promises'
import { run } from '../binaries/run.js'

/**
 * npm starts us, usually through a shell, and passes signals on, but if npm itself is killed, no signal comes. A process
 * whose parent dies gets another parent, which is how we notice, for our parent and for its parent.
 */
export function whenLauncherDies(then: () => void): void {
  if (process.env['npm_lifecycle_event'] === undefined) return
  const parent = process.ppid
  const look = async (grandparent: number | undefined) => {
    const now = await parentOf(parent)
    if (process.ppid !== parent || (grandparent !== undefined && now !== grandparent)) return then()
    setTimeout(() => void look(grandparent ?? now), 1_000).unref()
  }
  void look(undefined)
}

async function parentOf(pid: number): Promise<number | undefined> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => undefined)
  // "pid (name) state ppid …"; the name may hold spaces and brackets.
  const fromStat = stat?.slice(stat.lastIndexOf(')') + 2).split(' ')[1]
  const text = fromStat ?? (await run('ps', ['-o', 'ppid=', '-p', String(pid)]).catch(() => undefined))
  return text ? Number(text) : undefined
}
