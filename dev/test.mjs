// `npm test`: installs, fetches the server programs, runs every test, and ends with a line that counts them.
// Arguments go to Vitest: `npm test -- api` runs the tests of one folder.
import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { availableParallelism, setPriority, tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { createInterface } from 'node:readline'
import { ensureInstalled, requireNode, root } from './install.mjs'

/** Lines of the longest report that is left out. */
const longestPanic = 40
let isStopped = false

requireNode()
console.log('Perigee: all tests.') // loading takes seconds
await ensureInstalled()
const { register } = await import('tsx/esm/api')
const unregister = register()
const { BinaryMissing, findPrograms } = await import('./stack/binaries/index.ts')
const { silent } = await import('./stack/progress.ts')

// The system tests wait for blocks, time-outs and restarts; the others, which need no server, use the cores meanwhile, with
// less priority. Kubo may have to be built first, which takes minutes: then they run alone until it is there.
const programs = findPrograms(process.env, silent).then(
  () => undefined,
  (error) => (error instanceof BinaryMissing ? error.message : (error.stack ?? String(error))),
)
const children = new Set()
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => stopAll(signal))
const results = await Promise.all([
  runSystem(),
  runVitest(['slow', 'unit'], { nice: 5, workers: availableParallelism() }),
])
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

async function runSystem() {
  const slowly = setTimeout(() => console.log('  … fetching Temporal, building Kubo: this can take minutes'), 5_000)
  const missing = await programs
  clearTimeout(slowly)
  if (isStopped) process.exit(1)
  if (!missing) return runVitest(['system'])
  console.error(missing)
  return { passed: 0, failed: 1, skipped: 0, names: [], files: [] }
}

async function runVitest(projects, { nice = 0, workers } = {}) {
  const scratch = mkdtempSync(join(tmpdir(), 'perigee-results-'))
  const file = join(scratch, 'results.json')
  const args = [
    'run',
    '--passWithNoTests', // the tests of one folder may all be of the other kind
    `--reporter=${join(root, 'tests/harness/BriefReporter.ts')}`,
    '--reporter=json',
    `--outputFile.json=${file}`,
    ...(workers ? [`--maxWorkers=${workers}`] : []),
    ...projects.flatMap((project) => ['--project', project]),
    ...process.argv.slice(2),
  ]
  const vitest = join(root, 'node_modules/vitest/vitest.mjs')
  const env = { ...process.env, ...(process.stdout.isTTY && { FORCE_COLOR: '1' }) }
  const child = spawn(process.execPath, [vitest, ...args], { cwd: root, env, stdio: ['ignore', 'pipe', 'pipe'] })
  setPriority(child.pid, nice) // before it starts its own processes, which inherit it
  children.add(child)
  createInterface({ input: child.stdout }).on('line', (line) => line.startsWith('JSON report') || console.log(line))
  const show = withoutPanics((line) => console.error(line))
  createInterface({ input: child.stderr }).on('line', show)
  const [status, signal] = await new Promise((resolve) => child.on('close', (...ended) => resolve(ended)))
  children.delete(child)
  if (signal || isStopped) {
    stopAll('SIGTERM')
    if (children.size === 0) process.exit(1)
  }
  const result = count(file, status)
  rmSync(scratch, { recursive: true, force: true })
  return result
}

function stopAll(signal) {
  isStopped = true
  for (const child of children) child.kill(signal)
}

/**
 * Passes lines on, except a harmless panic of Temporal's core: when a test stops its worker in the middle of a local
 * activity, the activity's timeout still fires, in a thread whose receiver is gone.
 */
function withoutPanics(write) {
  let left = 0
  return (line) => {
    if (/panicked at .*local_activities\.rs/.test(line)) left = longestPanic
    if (left === 0) write(line)
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
