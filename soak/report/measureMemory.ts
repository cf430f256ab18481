import { readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { familyOf } from '../chaos/signalFamily.js'

/** Megabytes of each program and its descendants; shared pages are divided. Empty without /proc. */
export async function measureMemory(processes: Readonly<Record<string, number>>): Promise<Record<string, number>> {
  const sizes: Record<string, number> = {}
  for (const [name, leader] of Object.entries(processes)) {
    let kilobytes = 0
    for (const pid of familyOf(leader)) {
      const text = await readFile(`/proc/${pid}/smaps_rollup`, 'utf8').catch(() => '')
      kilobytes += Number(/^Pss:\s+(\d+) kB$/m.exec(text)?.[1] ?? 0)
    }
    if (kilobytes > 0) sizes[name] = Math.round(kilobytes / 1024)
  }
  return sizes
}

/** Megabytes of all files below a folder. */
export async function measureDisk(folder: string): Promise<number> {
  let bytes = 0
  for (const entry of await readdir(folder, { recursive: true }).catch(() => [])) {
    const found = await stat(join(folder, entry)).catch(() => undefined)
    if (found?.isFile()) bytes += found.size
  }
  return Math.round((bytes / 1024 / 1024) * 10) / 10
}
