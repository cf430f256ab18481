import { quantile } from '../../../tests/quantile.js'
import type { HonestRequest } from '../measureOthers.js'

/** Latency of the others' requests, with the attack and without, round by round. */
export type Comparison = ReturnType<typeof compareOthers>[number]

export interface Round {
  calm: HonestRequest[]
  attack: HonestRequest[]
}

const operations = ['sign', 'proof'] as const
/** Not a number where nothing was measured, which no comparison passes. */
const median = (values: readonly number[]) => quantile(values, 0.5) ?? NaN
const p95 = (values: readonly number[]) => quantile(values, 0.95) ?? NaN

/** The p95 of requests that were answered. Each round has both, one after the other, so that a busy machine is equally busy for both. */
export function compareOthers(rounds: readonly Round[]) {
  return operations.map((operation) => {
    const timesOf = (requests: readonly HonestRequest[]) =>
      requests.filter((one) => one.operation === operation && one.status === 200).map(({ ms }) => ms)
    const measured = rounds.map(({ calm, attack }) => {
      const [calmTimes, attackTimes] = [timesOf(calm), timesOf(attack)]
      return {
        calmMs: p95(calmTimes),
        attackMs: p95(attackTimes),
        calmCount: calmTimes.length,
        attackCount: attackTimes.length,
      }
    })
    return {
      operation,
      rounds: measured,
      /** These three are medians of the rounds. */
      calmMs: median(measured.map(({ calmMs }) => calmMs)),
      attackMs: median(measured.map(({ attackMs }) => attackMs)),
      times: median(measured.map(({ calmMs, attackMs }) => attackMs / calmMs)),
    }
  })
}
