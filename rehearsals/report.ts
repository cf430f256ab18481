import { elapsed } from '../dev/stack/progress.js'
import { table } from '../soak/report/table.js'
import type { RigResult } from './rig/openRig.js'

export interface Report extends RigResult {
  name: string
  takenAt: Date
  ms: number
}

/** The last line of a rehearsal. */
export function verdict({ name, ms, load, check, problems }: Report): string {
  const outcome = problems.length === 0 ? 'passed' : 'FAILED'
  const longest = (load.longestMs / 1000).toFixed(1)
  const requests = `${load.requests} requests, ${load.failed} failed, the longest ${longest} s`
  return `${name}: ${outcome} in ${elapsed(ms)}; ${requests}; ${check.signatures} signatures, ${check.events} events checked`
}

/** The verdict, the steps as a table, and the notes. */
export function record(report: Report): string {
  const { takenAt, steps, notes } = report
  const rows = steps.map(({ doing, seconds }) => [doing, `${seconds} s`])
  return [
    `Run of ${takenAt.toISOString().slice(0, 10)}: ${verdict(report)}.`,
    '',
    ...table(['Step', 'Time'], rows),
    '',
    ...notes.map((note) => `- ${note}`),
  ].join('\n')
}
