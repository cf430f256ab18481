import type { CheckReport } from '../check/main.js'
import type { FailpointsResult } from '../failpoints/runFailpoints.js'
import { commandOf } from '../parseArguments.js'
import type { SoakResult } from '../runSoak.js'
import { byStatus } from './summariseLoad.js'
import { table } from './table.js'

const seconds = (ms: number | null) => (ms === null ? '–' : (ms / 1000).toFixed(1))
const pair = (one: number | null, other: number | null) => `${seconds(one)} / ${seconds(other)}`

/** The result as Markdown. */
export function printResult(result: SoakResult): string {
  const { options, faults, load, recovery, rolling, backlog, deaths, failover, check } = result
  const { p50, p95, p99, max } = load.latencyMs
  const faultText = Object.entries(faults).map(([kind, count]) => `${count} ${kind}`)
  const lines = [
    `${commandOf(options)} (${result.takenAt})`,
    '',
    `- ${load.acknowledged} signatures acknowledged in ${load.seconds} s (${load.perSecond} a second, from ${options.users} users, through ${options.apis} APIs and ${options.workers} workers), ${load.signIns} sign-ins, seed ${options.seed}`,
    `- faults: ${faultText.join(', ')}`,
    `- from first request to signature, retries included: p50 ${p50} ms, p95 ${p95} ms, p99 ${p99} ms, longest ${max} ms`,
    `- answers by status (0: none): ${byStatus(load.statuses)}`,
    `- a user over their day's share was refused ${result.refused} times`,
    `- transactions: ${load.sent} broadcast, ${load.unsent} left unsent`,
    `- everything was published ${result.quietSeconds} s after the last fault`,
    ...(rolling
      ? [`- rolling restarts: ${rolling.restarts} by SIGTERM under load, ${rolling.requests} requests, ${rolling.failed} failed${rolling.failed > 0 ? ` (by status ${JSON.stringify(rolling.statuses)})` : ''} (the balancer asked a second API ${rolling.resent} times; slowest request ${seconds(rolling.slowestRequestMs)} s; slowest restart ${seconds(rolling.slowestMs)} s)`, // prettier-ignore
          `  - slowest request by restarted process (s): ${rolling.slowestByProcess.map(({ name, ms }) => `${name} ${seconds(ms)}`).join(', ')}`] // prettier-ignore
      : []),
    ...(backlog
      ? [`- backlog: ${backlog.waiting} proofs waited after ${backlog.outageSeconds} s without a chain, and were complete ${backlog.drainSeconds ?? 'never'} s after it came back`] // prettier-ignore
      : []),
    ...(deaths ? [diedAt(deaths)] : []),
    ...(failover
      ? [`- failover of Postgres: standby promoted ${seconds(failover.promotedMs)} s after the kill, signing again after ${seconds(failover.signingMs)} s`] // prettier-ignore
      : []),
    `- checked: ${check.signatures} records, ${check.events} events in ${check.publisherTransactions} publishing transactions, ${check.workflows} workflows, in ${check.seconds} s`,
    '',
    ...countTable(check),
    '',
    ...table(
      ['Killed', 'Times', 'Without another fault near', 'Signing again after (p50 / longest), s', 'Process back after (p50 / longest), s'], // prettier-ignore
      recovery.map((row) => [row.component, row.kills, row.single, pair(row.p50Ms, row.maxMs), pair(row.backP50Ms, row.backMaxMs)]), // prettier-ignore
    ),
    '',
    ...table(
      ['Fault', 'Times', 'A signature asked for before the next fault took (p50 / p95), s', 'Answers other than 200 (0: none)'], // prettier-ignore
      result.afterFaults.map((row) => [row.fault, row.times, pair(row.p50Ms, row.p95Ms), byStatus(row.refused)]),
    ),
    '',
    `Memory at the end (MB): ${list(result.memoryMb)}. Data on disk (MB): ${list(result.diskMb)}.`,
  ]
  return lines.join('\n')
}

/** The result of a run over the failpoints, likewise. */
export function printFailpoints({ deaths, check, quietSeconds, options, takenAt }: FailpointsResult): string {
  return [
    `${commandOf(options)} (${takenAt})`,
    '',
    diedAt(deaths),
    `- everything was published ${quietSeconds} s after the last death`,
    '',
    ...countTable(check),
  ].join('\n')
}

function diedAt({ points, runs, deaths, names }: FailpointsResult['deaths']): string {
  return `- failpoints: a worker died at its point ${deaths} times of ${points * runs} (${names.join(', ')})`
}

export function countTable({ counts }: Pick<CheckReport, 'counts'>): string[] {
  const rows = Object.entries(counts).map(([name, count]) => [countNames[name] ?? name, count])
  return table(['What the checker counts', 'Found'], rows)
}

const list = (values: Record<string, number>) =>
  Object.entries(values)
    .map(([name, value]) => `${name} ${value}`)
    .join(', ')

const countNames: Record<string, string> = {
  acknowledgedMissing: 'acknowledged signatures missing or different in the records',
  answersChanged: 'requests that got another answer when repeated',
  notTerminal: 'proofs or workflows not terminal after the quiet period',
  wrongTerminal: 'wrong terminal states',
  eventsNotOne: '(wallet, txHash) with other than one event, or an event without a record',
  cidsDiffer: 'CIDs that differ between record, chain, IPFS and recomputed bytes',
  entropyReused: 'entropy samples used twice',
  nonceGaps: 'publisher nonce gaps',
  unverifiedQuotes: 'signatures or keys without a verified quote',
  birthsNotOne: 'wallets with other than one birth receipt',
  receiptsRejected: 'receipts that the offline verifier does not accept',
  unauthorised: 'signatures or keys without a valid authorisation',
  receiptsWithoutBirth: 'receipts without the birth of their key',
  webhooksLost: 'webhooks lost',
  webhooksDoubled: 'webhooks doubled',
  sharesExceeded: 'shares exceeded',
  auditFaults: 'faults in the hash-chained audit log',
  leaks: 'personal data or secrets in logs and histories',
}
