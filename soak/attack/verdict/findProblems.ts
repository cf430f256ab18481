import type { CheckReport } from '../../check/main.js'
import { violationsIn } from '../../check/runChecker.js'
import type { Comparison } from './compareOthers.js'
import type { Refusal } from '../hostile/Plan.js'

/** The most that the others' p95 may be under attack, as a multiple of the same without. */
const timesAtMost = 1.5

interface Outcome {
  others: readonly Comparison[]
  violations: Record<string, readonly string[]>
  refusals: readonly Refusal[]
  check: Pick<CheckReport, 'counts' | 'examples'>
}

/** Shares that the attack must have used up, or it shows nothing. */
const mustBeReached = ['user.perSecond', 'user.unsent', 'user.streams', 'session', 'entropy']

/** Everything in a result that breaks a promise, in words. */
export function findProblems({ others, violations, refusals, check }: Outcome): string[] {
  const reached = new Set(refusals.map(({ share }) => share))
  return [
    ...others
      .filter(({ times }) => !(times <= timesAtMost)) // not a number: nothing was measured
      .map(
        ({ operation, times }) => `the others’ p95 (${operation}) was ${times.toFixed(2)} times that of a calm time`,
      ),
    ...Object.entries(violations)
      .filter(([, list]) => list.length > 0)
      .map(([name, list]) => `${name}: ${list.length} (${list[0]})`),
    ...violationsIn(check),
    ...mustBeReached.filter((share) => !reached.has(share)).map((share) => `nobody was refused for ${share}`),
  ]
}
