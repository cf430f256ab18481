import { readFileSync } from 'node:fs'

/** CPU milliseconds that a process has used (Linux counts hundredths of a second). */
export function cpuMs(pid: number): number {
  // The name before the bracket may hold spaces.
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? []
  return (Number(fields[11]) + Number(fields[12])) * 10
}

/** Memory that a process and those it started hold, in megabytes; pages shared among them are counted once. */
export function memoryMb(pid: number): number {
  const pages = /^Pss:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8'))
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean)
  return children.reduce((sum, child) => sum + memoryMb(Number(child)), Number(pages?.[1] ?? NaN) / 1024)
}
