import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { queryOnce } from '../../dev/stack/components/postgres.js'
import type { Progress } from '../../dev/stack/progress.js'
import type { StackFile } from '../../dev/stack/stackFile.js'
import { createRandom } from '../../tests/createRandom.js'
import { failpointBundle } from '../../tests/rigs/failpointBundle.js'
import { failpoints, type Failpoint } from '../../tests/rigs/failpoints.js'
import { openRun, type SoakRun } from '../openRun.js'
import type { SoakOptions } from '../parseArguments.js'
import { waitForQuiet } from '../phases/waitForQuiet.js'
import { repairNow } from '../repairSchedule.js'
import { dieAtEach } from './dieAtEach.js'
import { resealOne, rotated } from './resealOne.js'

const quietWithinMs = 180_000

/** Lets a worker die before and after every step, then runs the same checker. */
export async function runFailpoints(options: SoakOptions, folder: string, progress: Progress) {
  const takenAt = new Date().toISOString()
  const file = join(folder, 'failpoint')
  await progress.step('workflows with failpoints', failpointBundle)
  const run = await openRun(options, {
    folder,
    progress,
    env: { FAILPOINT_FILE: file, ...rotated },
    workerEntry: 'tests/rigs/failpointWorker.ts',
    unsentOneIn: 0,
  })
  const { world, driver, timeline } = run
  try {
    const shuffled = createRandom(options.seed).shuffle(failpoints)
    const points = options.points === null ? failpoints : shuffled.slice(0, options.points)
    const deaths = await dieAtEach({
      points,
      runs: options.runs,
      file,
      workers: options.workers,
      driver,
      provoke: (failpoint) => provoke(failpoint, run),
      processes: world.stack.file.processes,
      timeline,
    })
    const quietSeconds = await progress.step('quiet', () => waitForQuiet(world.stack.file, quietWithinMs))
    const check = await run.check()
    const wrong = Object.entries(check.counts).filter(([, count]) => count > 0)
    const problems = [
      ...wrong.map(([name, count]) => `${name}: ${count} (${check.examples[name]?.[0] ?? ''})`),
      ...deaths.missed.map((point) => `no worker reached ${point}`),
      ...(driver.state.gaveUp > 0 ? [`${driver.state.gaveUp} requests were never answered with a signature`] : []),
    ]
    const names = points.map(({ workflow, point }) => `${workflow} ${point}`)
    return { options, takenAt, timeline: timeline.file, deaths, names, quietSeconds, check, problems }
  } finally {
    await world.stop()
  }
}

export type FailpointsResult = Awaited<ReturnType<typeof runFailpoints>>

/** A new user reaches the steps of provisioning, an old seal those of sealing, an orphan those of the repairs, a signature all others. */
async function provoke({ workflow }: Failpoint, run: SoakRun): Promise<void> {
  const { addUser, driver, world } = run
  switch (workflow) {
    case 'provision':
      while (!(await addUser().then(() => true).catch(() => false))) await sleep(500) // prettier-ignore
      return
    case 'reseal':
      return resealOne(run)
    case 'repair':
      await orphanOne(world.stack.file)
      return repairNow(world.stack.file)
    case 'sign':
    case 'publish':
      return driver.run(1, 1)
  }
}

/** Makes a finished proof look unfinished, with no workflow to finish it. */
async function orphanOne({ databaseUrl }: StackFile): Promise<void> {
  await queryOnce(
    databaseUrl,
    `UPDATE publications SET status = 'pending_onchain', created_at = now() - interval '2 minutes'
      WHERE slug = (SELECT slug FROM publications WHERE status = 'complete' LIMIT 1)`,
  )
}
