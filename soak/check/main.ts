import { writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { runChecks, type Verdict } from './checks.js'
import { gatherEvidence } from './gatherEvidence.js'
import { readRunFile } from './RunFile.js'

/** What the checker prints. */
export interface CheckReport {
  acknowledged: number
  signatures: number
  messages: number
  births: number
  events: number
  workflows: number
  publisherTransactions: number
  seconds: number
  counts: Record<keyof Verdict, number>
  examples: Record<string, string[]>
}

const shown = 5
const { values } = parseArgs({ options: { run: { type: 'string' }, 'save-evidence': { type: 'string' } } })
if (values.run === undefined) {
  console.error('usage: tsx soak/check/main.ts --run <run.json> [--save-evidence <file>]')
  process.exit(2)
}

const start = Date.now()
const evidence = await gatherEvidence(readRunFile(values.run))
const saved = values['save-evidence']
if (saved !== undefined) writeFileSync(saved, JSON.stringify(evidence))
const verdict = await runChecks(evidence)
const found = Object.entries(verdict)
const report: CheckReport = {
  acknowledged: new Set(evidence.acknowledged.map(({ slug }) => slug)).size,
  signatures: evidence.records.filter(({ kind }) => kind === 'transaction').length,
  messages: evidence.records.filter(({ kind }) => kind === 'message').length,
  births: evidence.records.filter(({ kind }) => kind === 'birth').length,
  events: evidence.events.length,
  workflows: evidence.workflows.length,
  publisherTransactions: evidence.publishers.reduce((sum, { mined }) => sum + mined, 0),
  seconds: Math.round((Date.now() - start) / 1000),
  counts: Object.fromEntries(found.map(([name, list]) => [name, list.length])) as CheckReport['counts'],
  examples: Object.fromEntries(
    found.filter(([, list]) => list.length > 0).map(([name, list]) => [name, list.slice(0, shown)]),
  ),
}
console.log(JSON.stringify(report, null, 2))
process.exit(found.some(([, list]) => list.length > 0) ? 1 : 0)
