import { existsSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { queryOnce } from '../../dev/stack/components/postgres.js'
import { waitUntil } from '../../dev/stack/processes/waitUntil.js'
import type { Progress } from '../../dev/stack/progress.js'
import type { StackFile } from '../../dev/stack/stackFile.js'
import { createRandom } from '../../tests/createRandom.js'
import { failpointBundle } from '../../tests/rigs/failpoints/failpointBundle.js'
import { failpoints, type Failpoint } from '../../tests/rigs/failpoints/failpoints.js'
import { openRun, type SoakRun } from '../openRun.js'
import type { SoakOptions } from '../parseArguments.js'
import { waitForQuiet } from '../phases/waitForQuiet.js'
import { repairNow, startJob } from '../jobs.js'
import { violationsIn } from '../check/runChecker.js'
import { resealOne, rotated } from './resealOne.js'

const quietWithinMs = 600_000
const reachedWithinMs = 180_000
const backWithinMs = 300_000

/** What makes the workers of a run stop at failpoints. */
export const failpointWorkers = (folder: string) => ({
  env: { FAILPOINT_FILE: fileIn(folder), ...rotated },
  workerEntry: 'tests/rigs/failpoints/failpointWorker.ts',
})
const fileIn = (folder: string): string => join(folder, 'failpoint')

/** Lets a worker die before and after every step, then runs the same checker. */
export async function runFailpoints(options: SoakOptions, folder: string, progress: Progress) {
  const takenAt = new Date().toISOString()
  await progress.step('workflows with failpoints', failpointBundle)
  const run = await openRun(options, { folder, progress, ...failpointWorkers(folder), unsentOneIn: 0 })
  const { world, driver, timeline } = run
  try {
    const deaths = await dieAtPoints(options, folder, run)
    const quietSeconds = await progress.step('quiet', () => waitForQuiet(world.stack.file, quietWithinMs))
    const check = await run.check()
    const problems = [
      ...violationsIn(check),
      ...deaths.missed.map((point) => `no worker reached ${point}`),
      ...(driver.state.gaveUp > 0 ? [`${driver.state.gaveUp} requests were never answered with a signature`] : []),
    ]
    return { options, takenAt, timeline: timeline.file, deaths, quietSeconds, check, problems }
  } finally {
    await world.stop()
  }
}

export type FailpointsResult = Awaited<ReturnType<typeof runFailpoints>>

/**
 * Visits the points of the options, in an order that the seed decides: work that reaches the point, a worker that dies
 * there, and another worker that goes on.
 */
export async function dieAtPoints({ seed, points: count, runs, workers }: SoakOptions, folder: string, soak: SoakRun) {
  const { world, driver, timeline } = soak
  const { processes } = world.stack.file
  const points = count === null ? failpoints : createRandom(seed).shuffle(failpoints).slice(0, count)
  const file = fileIn(folder)
  /** Points that no worker reached in time. */
  const missed: string[] = []
  let deaths = 0
  for (let run = 1; run <= runs; run++) {
    for (const failpoint of points) {
      const { workflow, point } = failpoint
      await workersAlive(1, processes) // one is enough: it is the next to die
      timeline.add({ kind: 'failpoint', target: point, detail: `in ${workflow}, run ${run}` })
      writeFileSync(file, point) // the worker removes it before it dies
      await provoke(failpoint, soak)
      const deadline = Date.now() + reachedWithinMs
      while (existsSync(file) && Date.now() < deadline) await sleep(50)
      if (existsSync(file)) {
        rmSync(file, { force: true })
        missed.push(`${point} in ${workflow}`)
      } else deaths++
      await driver.whenAnswered(reachedWithinMs)
    }
  }
  await workersAlive(workers, processes)
  const names = points.map(({ workflow, point }) => `${workflow} ${point}`)
  return { points: points.length, runs, deaths, missed, names }
}

async function workersAlive(count: number, processes: Readonly<Record<string, number>>): Promise<void> {
  await sleep(200) // a killed process leaves the table a moment after its death
  const areAlive = async () => Object.keys(processes).filter((name) => name.startsWith('worker')).length >= count
  await waitUntil(`worker ${count}`, areAlive, { timeoutMs: backWithinMs })
}

/**
 * A new user reaches the steps of provisioning, a new device those of owners, an old seal those of sealing, an orphan those of
 * the repairs, each job its own, a signature all others.
 */
async function provoke({ workflow }: Failpoint, run: SoakRun): Promise<void> {
  const { addUser, driver, users, world } = run
  switch (workflow) {
    case 'provision':
      while (!(await addUser().then(() => true).catch(() => false))) await sleep(500) // prettier-ignore
      return
    case 'owners':
      return users.find(({ hasOwner }) => hasOwner)?.changeOwners()
    case 'reseal':
      return resealOne(run)
    case 'anchor':
      await moveHead(world.stack.file)
      return startJob(world.stack.file, 'anchorAuditLog')
    case 'retention':
      return startJob(world.stack.file, 'applyRetention')
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

/** Adds an event, so that the audit log has a head that is not anchored yet. */
async function moveHead({ databaseUrl }: StackFile): Promise<void> {
  const at = new Date().toISOString()
  await queryOnce(databaseUrl, `SELECT append_audit_event('${at}', 'sign_out', NULL, '{}')`)
}
