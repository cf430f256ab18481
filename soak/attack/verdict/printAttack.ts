import { commandOf } from '../../parseArguments.js'
import { countTable } from '../../report/printResult.js'
import { table } from '../../report/table.js'
import type { ReplayOutcome, Tally } from '../hostile/Plan.js'
import type { AttackResult } from '../runAttack.js'

const countNames: Record<keyof AttackResult['violations'], string> = {
  sharesExceeded: 'shares exceeded by anybody, by the records',
  streamsExceeded: 'streams above the share',
  refusalsUnexplained: 'refusals without Retry-After, RateLimit headers or the name of the share',
  entropyRefused: 'requests of the others without entropy',
  honestFailed: 'other requests of the others that failed',
  replaysAccepted: 'replays accepted, or answered with anything new',
  replaysUntried: 'replays that met nothing but a limit',
  operationsUntouched: 'documented operations that were not flooded',
  samplesExceeded: 'samples beyond what the source had left',
}

/** The result as Markdown. */
export function printAttack(result: AttackResult): string {
  const { options, others, stolen, tallies, replays, violations, samples, check } = result
  const sent = tallies.reduce((sum, tally) => sum + tally.sent, 0)
  return [
    `${commandOf(options)} (${result.takenAt})`,
    '',
    `- ${options.rounds} rounds of calm and attack, through ${options.apis} APIs and ${options.workers} workers; ${sent} hostile requests, ${result.requests} of ${options.users} others`,
    `- the satellite gave ${samples.given} of the ${samples.left} samples that it had left`,
    `- everything was published ${result.quietSeconds} s after the last attack`,
    `- seconds that the host took from the cores, calm and under attack: ${stolen.map((one) => `${one.calm.toFixed(1)} and ${one.attack.toFixed(1)}`).join(', ')}`,
    `- checked: ${check.signatures} signatures, ${check.messages} messages, ${check.births} keys, ${check.events} events`,
    '',
    ...table(
      ['The others’ p95', 'Calm, ms', 'Under attack, ms', 'Times (median of the rounds)', 'Each round, ms'],
      others.map(({ operation, calmMs, attackMs, times, rounds }) => {
        const each = rounds.map((one) => `${one.calmMs.toFixed(0)} → ${one.attackMs.toFixed(0)}`).join(', ')
        const route = operation === 'sign' ? 'POST /sign/digest' : 'GET /proof'
        return [route, calmMs.toFixed(0), attackMs.toFixed(0), times.toFixed(2), each]
      }),
    ),
    '',
    ...table(
      ['Hostile user', 'Asked', 'Answers'],
      tallies.map((tally) => [tally.name, tally.sent, answersOf(tally)]),
    ),
    '',
    ...table(
      ['Replay', 'Answers'],
      [...new Set(replays.map(({ name }) => name))].map((name) => {
        const outcomes = replays.filter((one) => one.name === name)
        return [name, outcomes.map(outcomeText).join(', ')]
      }),
    ),
    '',
    ...table(
      ['Counted in this run', 'Found'],
      (Object.keys(countNames) as (keyof typeof countNames)[]).map((name) => [
        countNames[name],
        violations[name].length,
      ]),
    ),
    '',
    ...countTable(check),
  ].join('\n')
}

const outcomeText = ({ status, code, same, times }: ReplayOutcome): string =>
  `${status} ${code || (same ? 'the same answer' : 'another answer')} × ${times}`

const answersOf = ({ answers, heldBack }: Tally): string =>
  [
    ...Object.entries(answers)
      .sort(([, a], [, b]) => b - a)
      .map(([answer, count]) => `${answer} × ${count}`),
    ...(heldBack > 0 ? [`not sent for lack of a connection × ${heldBack}`] : []),
  ].join(', ')
