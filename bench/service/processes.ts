import { readFileSync } from 'node:fs'

/** CPU milliseconds that a process has used. Linux counts in hundredths of a second. */
export function cpuMs(pid: number): number {
  // The name before the bracket may hold spaces.
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? []
  return (Number(fields[11]) + Number(fields[12])) * 10
}

/** Resident memory of one process, in megabytes. */
export function residentMb(pid: number): number {
  const resident = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))
  return Number(resident?.[1] ?? NaN) / 1024
}
