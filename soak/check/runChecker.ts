import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { buildProgram } from '../../dev/stack/programs/buildProgram.js'
import type { Progress } from '../../dev/stack/progress.js'
import type { Stack } from '../../dev/stack/startStack.js'
import type { SoakUser } from '../load/createUser.js'
import type { startApplication } from '../load/startApplication.js'
import { collectNeedles } from './leaks/collectNeedles.js'
import type { CheckReport } from './main.js'
import { writeRunFile, type RunFile } from './RunFile.js'

const main = new URL('./main.ts', import.meta.url)

interface ToCheck {
  folder: string
  stack: Pick<Stack, 'file' | 'logs' | 'env'>
  application: Awaited<ReturnType<typeof startApplication>>
  users: readonly SoakUser[]
  canary: string
  /** Where the evidence is kept. */
  evidence?: string | undefined
}

/** Counts what went wrong in a run that has ended; `own` is what the run has besides, or elsewhere than usual. */
export function checkRun(
  { folder, stack, application, users, canary, evidence }: ToCheck,
  progress: Progress,
  own: Pick<RunFile, 'clientLog' | 'fileNeedles' | 'share'> & Partial<RunFile>,
): Promise<CheckReport> {
  const runFile = join(folder, 'run.json')
  const dir = join(folder, '.perigee')
  writeRunFile(runFile, {
    stack: stack.file,
    logs: stack.logs,
    temporalFiles: join(dir, 'temporal'),
    trustAnchors: join(dir, 'trust-anchors.json'),
    codecKeys: stack.env['TEMPORAL_CODEC_KEYS'] ?? '',
    needles: {
      ...collectNeedles(dir, stack.env, users, canary),
      'the secret of a webhook': application.secret.slice('whsec_'.length),
    },
    webhooks: application.log,
    ...own,
  })
  return progress.step('checker', () => runChecker(runFile, evidence))
}

/** Runs the checker as a separate program, so that it sees nothing of the driver's memory. */
async function runChecker(runFile: string, evidenceFile?: string): Promise<CheckReport> {
  const more = evidenceFile === undefined ? [] : ['--save-evidence', evidenceFile]
  const args = ['--max-old-space-size=8192', await buildProgram(main), '--run', runFile, ...more]
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
  const ended = new Promise((resolve, reject) => child.once('error', reject).once('close', resolve))
  const [printed, code] = await Promise.all([text(child.stdout), ended])
  try {
    return JSON.parse(printed) as CheckReport
  } catch {
    throw new Error(`the checker ended with ${String(code)} and printed no report`)
  }
}

/** Every count that is not zero, in words. */
export const violationsIn = ({ counts, examples }: Pick<CheckReport, 'counts' | 'examples'>): string[] =>
  Object.entries(counts)
    .filter(([, count]) => count > 0)
    .map(([name, count]) => `${name}: ${count} (${examples[name]?.[0] ?? ''})`)
