import { join } from 'node:path'
import type { Progress } from '../../dev/stack/progress.js'
import type { CheckReport } from '../check/main.js'
import { openRun } from '../openRun.js'
import type { SoakOptions } from '../parseArguments.js'
import { waitForQuiet } from '../phases/waitForQuiet.js'
import { createRandom } from '../../tests/createRandom.js'
import { failpoints } from './points.js'
import { sweepFailpoints, type SweepResult } from './sweepFailpoints.js'

export interface FailpointsResult {
  options: SoakOptions
  takenAt: string
  timeline: string
  sweep: SweepResult
  names: readonly string[]
  quietSeconds: number
  check: CheckReport
  problems: string[]
}

const quietWithinMs = 180_000

/** Lets workers die at every step, then asks the same checker. */
export async function runFailpoints(
  options: SoakOptions,
  folder: string,
  progress: Progress,
): Promise<FailpointsResult> {
  const takenAt = new Date().toISOString()
  const file = join(folder, 'failpoint')
  const env = { FAILPOINT_FILE: file }
  const run = await openRun(options, { folder, progress, env, workerEntry: 'tests/rigs/failpointWorker.ts' })
  const { world, driver, timeline } = run
  try {
    const { processes } = world.stack.file
    const shuffled = createRandom(options.seed).shuffle(failpoints)
    const names = options.points === null ? failpoints : shuffled.slice(0, options.points)
    const sweep = await sweepFailpoints({
      ...{ points: names, runs: options.runs, file, workers: options.workers, driver, processes, timeline },
    })
    const quietSeconds = await progress.step('quiet', () => waitForQuiet(world.stack.file, quietWithinMs))
    const check = await run.check()
    const problems = [
      ...Object.entries(check.counts).flatMap(([name, count]) => (count > 0 ? [`${name}: ${count} (${check.examples[name]?.[0] ?? ''})`] : [])), // prettier-ignore
      ...sweep.missed.map((point) => `no worker reached ${point}`),
      ...(driver.state.gaveUp > 0 ? [`${driver.state.gaveUp} requests were never answered with a signature`] : []),
    ]
    return { options, takenAt, timeline: timeline.file, sweep, names, quietSeconds, check, problems }
  } finally {
    await world.stop()
  }
}
