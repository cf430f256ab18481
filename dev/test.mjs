// `npm test`: installs, fetches the server programs, runs every test, and says in its last line how many passed.
import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ensureInstalled, requireNode, root } from './install.mjs'

requireNode()
await ensureInstalled()
if (!(await fetchPrograms())) finish({ passed: 0, failed: 1, skipped: 0 }, 1)

const scratch = mkdtempSync(join(tmpdir(), 'perigee-results-'))
const results = join(scratch, 'results.json')
const code = await runVitest()
const counts = count(code)
rmSync(scratch, { recursive: true, force: true })
finish(counts, code)

/** Before the tests, so that a missing program is one line and not the failure of a hundred tests. */
async function fetchPrograms() {
  const { register } = await import('tsx/esm/api')
  const unregister = register()
  try {
    const { findPrograms, BinaryMissing } = await import('./stack/binaries/index.ts')
    const { createProgress } = await import('./stack/progress.ts')
    return await findPrograms(process.env, createProgress(process.stdout)).then(
      () => true,
      (error) => {
        console.error(error instanceof BinaryMissing ? error.message : error)
        return false
      },
    )
  } finally {
    await unregister()
  }
}

function runVitest() {
  const args = [
    'run',
    '--reporter=default',
    '--reporter=json',
    `--outputFile.json=${results}`,
    ...process.argv.slice(2),
  ]
  const child = spawn(process.execPath, [join(root, 'node_modules/vitest/vitest.mjs'), ...args], {
    cwd: root,
    stdio: 'inherit',
  })
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => child.kill(signal))
  return new Promise((resolve) => child.on('close', (status, signal) => resolve(signal ? 1 : status)))
}

/** A test file that could not be loaded, or an error outside any test, is a failure too. */
function count(code) {
  let report
  try {
    report = JSON.parse(readFileSync(results, 'utf8'))
  } catch {
    return { passed: 0, failed: 1, skipped: 0 }
  }
  const broken = report.testResults.filter((file) => file.status === 'failed' && file.assertionResults.length === 0)
  const failed = report.numFailedTests + broken.length
  return {
    passed: report.numPassedTests,
    failed: failed === 0 && code !== 0 ? 1 : failed,
    skipped: report.numPendingTests + report.numTodoTests,
  }
}

function finish({ passed, failed, skipped }, code) {
  console.log(`${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`)
  process.exit(code === 0 && failed === 0 ? 0 : 1)
}
