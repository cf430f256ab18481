import { readdirSync, readFileSync } from 'node:fs'

/** Signals a process and all its descendants: each child of Postgres leads a process group of its own. */
export function signalFamily(pid: number, signal: NodeJS.Signals): void {
  // Parents first: a parent that sees a child die may start another.
  for (const member of familyOf(pid)) orElse(() => process.kill(member, signal), false) // false: it has ended
}

/** The process and its descendants, from /proc; without /proc the process alone. */
export function familyOf(pid: number): number[] {
  const children = new Map<number, number[]>()
  for (const entry of orElse(() => readdirSync('/proc'), [])) {
    if (!/^\d+$/.test(entry)) continue
    const stat = orElse(() => readFileSync(`/proc/${entry}/stat`, 'utf8'), '')
    // "pid (name) state ppid …"; the name may hold spaces and brackets.
    const parent = Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1])
    children.set(parent, [...(children.get(parent) ?? []), Number(entry)])
  }
  const family = [pid]
  for (let index = 0; index < family.length; index++) family.push(...(children.get(family[index] as number) ?? []))
  return family
}

function orElse<T>(read: () => T, otherwise: T): T {
  try {
    return read()
  } catch {
    return otherwise
  }
}
