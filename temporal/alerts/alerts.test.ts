import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { metricsIn, readAlertRules, rulesFile } from '../testing/alertRules.js'

const runbook = readFileSync(fileURLToPath(new URL('../RUNBOOK.md', import.meta.url)), 'utf8')
/** As GitHub makes them. */
const anchors = [...runbook.matchAll(/^#+ (.+)$/gm)].map(([, title = '']) =>
  title
    .toLowerCase()
    .replace(/[^\w\- ]/g, '')
    .replaceAll(' ', '-'),
)

test.each(readAlertRules().map((rule) => [rule.alert, rule] as const))(
  '%s names its section of the runbook',
  (_, rule) => {
    const [file, anchor] = rule.annotations.runbook.split('#')
    expect(file).toBe('temporal/RUNBOOK.md')
    expect(anchors).toContain(anchor)
    expect(metricsIn(rule.expr).length).toBeGreaterThan(0)
  },
)

test.each(readAlertRules().map(({ alert, expr }) => [alert, expr] as const))(
  '%s adds up counters only: every worker reads a gauge from the same database',
  (_, expr) => {
    if (expr.includes('sum')) expect(expr).toMatch(/rate\(|increase\(/)
  },
)

test('SigningFails is failed and abandoned requests over these and the released: refusals are on neither side', () => {
  const { expr } = readAlertRules().find(({ alert }) => alert === 'SigningFails') ?? { expr: '' }
  expect(metricsIn(expr).map(({ values }) => values)).toEqual([
    ['outcome="failed"', 'outcome="abandoned"'],
    ['outcome="released"', 'outcome="failed"', 'outcome="abandoned"'],
  ])
})

const promtool = process.env['PROMTOOL'] ?? 'promtool'
const hasPromtool = (() => {
  try {
    execFileSync(promtool, ['--version'], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
})()

test.skipIf(!hasPromtool)(
  'promtool accepts the rules, and each fires when it should (skipped without promtool)',
  () => {
    const options = { cwd: dirname(rulesFile), encoding: 'utf8' as const }
    expect(execFileSync(promtool, ['check', 'rules', 'perigee.rules.yml'], options)).toContain('SUCCESS')
    expect(execFileSync(promtool, ['test', 'rules', 'perigee.test.yml'], options)).toContain('SUCCESS')
  },
)
