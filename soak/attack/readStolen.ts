import { readFileSync } from 'node:fs'
import { platform } from 'node:os'

const ticksPerSecond = 100 // what Linux reports in, on every machine
const place = 8 // cpu user nice system idle iowait irq softirq steal

/** Seconds that the host has given to other machines instead of this one's cores. 0 where nobody says. */
export function readStolen(stat = platform() === 'linux' ? readFileSync('/proc/stat', 'utf8') : ''): number {
  return Number(stat.split(/\s+/, place + 1)[place] ?? 0) / ticksPerSecond
}
