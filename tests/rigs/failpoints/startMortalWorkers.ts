import { spawn, type ChildProcess } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buildProgram } from '../../../dev/stack/programs/buildProgram.js'
import { failpointBundle } from './failpointBundle.js'

/** Most of them do little but start: the young generation need not grow first, and V8 optimises less. */
export const cheapStart = ['--min-semi-space-size=16', '--interrupt-budget=600000']

/** Two worker processes, as in production: while one is being started again, the other goes on. */
export async function startMortalWorkers(env: NodeJS.ProcessEnv) {
  const dir = mkdtempSync(join(tmpdir(), 'perigee-crashes-'))
  const failpoint = join(dir, 'failpoint')
  await failpointBundle()
  const program = await buildProgram(new URL('./failpointWorker.ts', import.meta.url))
  const workers = new Set<ChildProcess>()
  let deaths = 0
  let stopping = false

  /** Started again whenever it dies. */
  function keepRunning(): void {
    const worker = spawn(process.execPath, [...cheapStart, program], {
      env: { PATH: process.env['PATH'], ...env, FAILPOINT_FILE: failpoint, WORKFLOWS_IN_MAIN_THREAD: 'true' },
      stdio: ['ignore', 'ignore', 'inherit'],
    })
    workers.add(worker)
    worker.once('exit', () => {
      workers.delete(worker)
      if (stopping) return
      deaths++
      keepRunning()
    })
  }
  keepRunning()
  keepRunning()

  return {
    /** The next worker that comes to this point dies there. */
    dieAt: (point: string) => writeFileSync(failpoint, point),
    /** Whether no worker has come to the point yet. */
    isWaiting: () => existsSync(failpoint),
    deaths: () => deaths,
    stop(): void {
      stopping = true
      for (const worker of workers) worker.kill('SIGKILL')
      rmSync(dir, { recursive: true })
    },
  }
}

export type MortalWorkers = Awaited<ReturnType<typeof startMortalWorkers>>
