// `npm test`: installs, fetches the server programs, runs every test, and ends with a line that counts them.
// Arguments go to Vitest: `npm test -- api` runs the tests of one folder.
import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import { ensureInstalled, requireNode, root } from './install.mjs'

/** Lines of the longest report that is left out. */
const longestPanic = 40

requireNode()
console.log('Perigee: all tests.') // loading takes seconds
await ensureInstalled()
const { register } = await import('tsx/esm/api')
const unregister = register()
const { BinaryMissing, findPrograms } = await import('./stack/binaries/index.ts')
const { createProgress, silent } = await import('./stack/progress.ts')

// Kubo may have to be built, which takes minutes: then the tests that do not need it run meanwhile.
const programs = findPrograms(process.env, silent).then(
  () => undefined,
  (error) => (error instanceof BinaryMissing ? error.message : (error.stack ?? String(error))),
)
const atHand = await Promise.race([programs.then((missing) => !missing), sleep(5_000, false)])
const results = [await runVitest(atHand ? ['system', 'slow', 'unit'] : ['slow', 'unit'])]
if (!atHand) {
  const missing = await createProgress(process.stdout).step('Temporal CLI and Kubo', () => programs)
  if (missing) console.error(missing)
  results.push(missing ? { passed: 0, failed: 1, skipped: 0, names: [], files: [] } : await runVitest(['system']))
}
await unregister()

const slowest = results.flatMap((result) => result.files).sort((a, b) => b.seconds - a.seconds)
console.log('slowest files:')
for (const { name, seconds } of slowest.slice(0, 10)) console.log(`  ${seconds} s  ${relative(root, name)}`)
for (const name of results.flatMap((result) => result.names)) console.log(`failed: ${relative(root, name)}`)
const sum = (name) => results.reduce((total, result) => total + result[name], 0)
const skipped = sum('skipped')
console.log(`${sum('passed')} passed, ${sum('failed')} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`)
const isEmpty = sum('passed') + sum('failed') + skipped === 0
if (isEmpty) console.error(`No test file matches ${process.argv.slice(2).join(' ')}.`)
process.exit(sum('failed') === 0 && !isEmpty ? 0 : 1)

async function runVitest(projects) {
  const scratch = mkdtempSync(join(tmpdir(), 'perigee-results-'))
  const file = join(scratch, 'results.json')
  const args = [
    'run',
    ...(process.argv.length > 2 ? ['--passWithNoTests'] : []), // the tests of one folder may all be of the other kind
    `--reporter=${join(root, 'tests/harness/BriefReporter.ts')}`,
    '--reporter=json',
    `--outputFile.json=${file}`,
    ...projects.flatMap((project) => ['--project', project]),
    ...process.argv.slice(2),
  ]
  const vitest = join(root, 'node_modules/vitest/vitest.mjs')
  const child = spawn(process.execPath, [vitest, ...args], { cwd: root, stdio: ['inherit', 'inherit', 'pipe'] })
  const show = withoutPanics((line) => process.stderr.write(`${line}\n`))
  createInterface({ input: child.stderr }).on('line', show)
  let isStopped = false
  const pass = (signal) => {
    isStopped = true
    child.kill(signal)
  }
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, pass)
  const [status, signal] = await new Promise((resolve) => child.on('close', (...ended) => resolve(ended)))
  if (signal || isStopped) process.exit(1)
  for (const name of ['SIGINT', 'SIGTERM']) process.off(name, pass)
  const result = count(file, status)
  rmSync(scratch, { recursive: true, force: true })
  return result
}

/**
 * Passes lines on, except a harmless panic of Temporal's core: when a test stops its worker in the middle of a local
 * activity, the activity's timeout still fires, in a thread whose receiver is gone.
 */
function withoutPanics(write) {
  let left = 0
  let blank = [] // a panic begins with an empty line
  return (line) => {
    if (line === '' && left === 0) return void blank.push(line)
    if (/panicked at .*local_activities\.rs/.test(line)) left = longestPanic
    if (left === 0) [...blank, line].forEach(write)
    blank = []
    left = line.startsWith('note: ') ? 0 : Math.max(0, left - 1)
  }
}

/** A test file that could not be loaded, or an error outside any test, is a failure too. */
function count(file, status) {
  let report
  try {
    report = JSON.parse(readFileSync(file, 'utf8'))
  } catch {
    return { passed: 0, failed: status === 0 ? 0 : 1, skipped: 0, names: [], files: [] }
  }
  const broken = report.testResults.filter((one) => one.status === 'failed' && one.assertionResults.length === 0)
  const failed = report.numFailedTests + broken.length
  const tests = report.testResults.flatMap((one) => one.assertionResults.map((test) => ({ ...test, file: one.name })))
  const failures = tests.filter((test) => test.status === 'failed')
  return {
    passed: report.numPassedTests,
    failed: failed === 0 && status !== 0 ? 1 : failed,
    skipped: tests.filter((test) => !['passed', 'failed'].includes(test.status)).length,
    files: report.testResults.map(({ name, startTime, endTime }) => {
      return { name, seconds: Math.round((endTime - startTime) / 1000) }
    }),
    names: [...failures.map((test) => `${test.file}: ${test.fullName}`), ...broken.map((one) => one.name)],
  }
}
