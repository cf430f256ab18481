import { writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { runChecks, type CheckName } from './checks.js'
import { gatherEvidence } from './gatherEvidence.js'
import { readRunFile } from './RunFile.js'

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
const countOf = (kind: string) => evidence.records.filter((record) => record.kind === kind).length
const report = {
  acknowledged: new Set(evidence.acknowledged.map(({ slug }) => slug)).size,
  signatures: countOf('transaction'),
  messages: countOf('message'),
  births: countOf('birth'),
  events: evidence.events.length,
  workflows: evidence.workflows.length,
  publisherTransactions: evidence.publishers.reduce((sum, { mined }) => sum + mined, 0),
  seconds: Math.round((Date.now() - start) / 1000),
  counts: Object.fromEntries(found.map(([name, list]) => [name, list.length])) as Record<CheckName, number>,
  examples: Object.fromEntries(
    found.filter(([, list]) => list.length > 0).map(([name, list]) => [name, list.slice(0, shown)]),
  ),
}
/** What the checker prints. */
export type CheckReport = typeof report
console.log(JSON.stringify(report, null, 2))
process.exit(found.some(([, list]) => list.length > 0) ? 1 : 0)
