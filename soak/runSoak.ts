import { join } from 'node:path'
import type { Progress } from '../dev/stack/progress.js'
import { failpointBundle } from '../tests/rigs/failpoints/failpointBundle.js'
import { planFaults } from './chaos/plan.js'
import { runChaos } from './chaos/runChaos.js'
import { violationsIn } from './check/runChecker.js'
import { dieAtPoints, failpointWorkers } from './failpoints/runFailpoints.js'
import type { Acknowledged } from './load/acknowledge.js'
import { readLines } from './load/jsonLines.js'
import { keepAddingUsers, keepOverasking, keepSigningIn } from './load/keepDoing.js'
import { watchBacklog } from './load/watchBacklog.js'
import { openRun, type SoakRun } from './openRun.js'
import type { SoakOptions } from './parseArguments.js'
import { drainBacklog } from './phases/drainBacklog.js'
import { failOver } from './phases/failOver.js'
import { restartable, rollingRestarts } from './phases/rollingRestarts.js'
import { waitForQuiet } from './phases/waitForQuiet.js'
import { createRandom } from '../tests/createRandom.js'
import { measureAfterFaults } from './report/afterFaults.js'
import { measureDisk, measureMemory } from './report/measureMemory.js'
import { measureRecovery } from './report/recovery.js'
import { byStatus, summariseLoad } from './report/summariseLoad.js'
import { countEach } from './report/table.js'

const quietWithinMs = 600_000
const answersWithinMs = 300_000
/** Requests a second, once enough were made and faults are still to come. */
const seldom = { short: 0.25, long: 0.5 }
/** Most users broadcast what they sign; the receipts of the others are published after this time. */
const unsentOneIn = 5
const unsentAfterSeconds = 8

/** The whole fault test, in a folder of its own. `problems` is empty when every promise was kept. */
export async function runSoak(options: SoakOptions, folder: string, progress: Progress) {
  const result = await measure(options, folder, progress)
  return { ...result, problems: findProblems(result) }
}

export type SoakResult = Awaited<ReturnType<typeof runSoak>>

async function measure(options: SoakOptions, folder: string, progress: Progress) {
  const takenAt = new Date().toISOString()
  const mortal = options.points === 0 ? null : failpointWorkers(folder)
  if (mortal) await progress.step('workflows with failpoints', failpointBundle)
  const env = { ...mortal?.env, PUBLISH_UNSENT_AFTER: String(unsentAfterSeconds) }
  const thrifty = options.profile === 'short'
  const run = await openRun(options, { folder, progress, ...mortal, env, thrifty, unsentOneIn })
  const { world, driver, timeline, users, clientLog, dir } = run
  const { file } = world.stack
  const quiet = (name: string) => progress.step(name, () => waitForQuiet(file, quietWithinMs))
  try {
    const start = Date.now()
    const signIns = keepSigningIn(users, createRandom(options.seed + 1))
    const overasking = keepOverasking(run.greedyDriver)
    const births = keepAddingUsers(run.addUser)
    await underFaults(options, run)
    await signIns.stop()
    await births.stop()
    await overasking.stop()
    await driver.whenAnswered(answersWithinMs)
    const acknowledged = readLines<Acknowledged>(clientLog)
    const load = summariseLoad(driver, acknowledged, Date.now() - start, signIns.attempts.length)
    const recovery = measureRecovery(timeline.events, driver.attempts, signIns.attempts)
    const afterFaults = measureAfterFaults(timeline.events, driver.attempts, acknowledged)
    const quietSeconds = await quiet('quiet')

    const rolling = options.rolling > 0 ? await restartInTurn(options, run) : null
    const chain = world.links['worker-chain']
    const backlog =
      options.backlog > 0 ? await drainBacklog(options.backlog, { driver, chain, stack: file, timeline }) : null
    const deaths = mortal && (await dieAtPoints(options, folder, run))
    const failover = options.failover ? await changeDatabase(run) : null
    if (rolling || backlog || deaths || failover) await quiet('quiet again')

    const memoryMb = await measureMemory(file.processes)
    const diskMb: Record<string, number> = {}
    for (const name of ['temporal', 'anvil', 'kubo', 'postgres', 'logs']) {
      diskMb[name] = await measureDisk(join(dir, name))
    }
    return {
      options,
      takenAt,
      timeline: timeline.file,
      faults: countEach(timeline.events.map(({ kind }) => kind)),
      load,
      refused: overasking.refused(),
      recovery,
      afterFaults,
      quietSeconds,
      rolling,
      backlog,
      deaths,
      failover,
      memoryMb,
      diskMb,
      check: await run.check(),
    }
  } finally {
    await world.stop()
  }
}

/** Signs at the given rate until enough was asked for, then slowly until the faults are over. */
async function underFaults(options: SoakOptions, { world, driver, timeline }: SoakRun): Promise<void> {
  const { seed, kills, signatures, rate, cluster, profile } = options
  const plan = planFaults({ seed, kills, durationMs: (signatures / rate) * 1000 * 0.95, cluster })
  const { processes, rpcUrl } = world.stack.file
  const backlog = watchBacklog(world.stack.file)
  const held = backlog.isFull
  let over = false
  // On a slow machine the faults take longer; more signatures would make it slower still.
  const loading = driver
    .run(signatures, rate, { held })
    .then(() => driver.run(Infinity, Math.min(rate, seldom[profile]), { held, stopped: () => over }))
  try {
    const names = Object.keys(processes)
    await runChaos(plan, { processes, names, links: world.links, rpcUrl, timeline })
  } finally {
    over = true
    await loading
    await backlog.stop()
  }
}

function restartInTurn({ rolling, profile, cluster }: SoakOptions, { world, driver, timeline }: SoakRun) {
  const { processes } = world.stack.file
  const restarts = cluster ? Math.max(rolling, restartable(processes).length) : rolling // each process of a cluster at least once
  // In npm test other tests share the cores.
  const rate = profile === 'long' ? 3 : 1
  return rollingRestarts({ restarts, rate, driver, processes, resent: world.balancer.resent, timeline })
}

async function changeDatabase({ world, dir, driver, timeline }: SoakRun) {
  const { stack, databaseLinks: links } = world
  const { close, ...figures } = await failOver({ dir, stack: stack.file, links, driver, timeline })
  world.beforeStop({ close })
  return figures
}

/** Everything in a result that breaks a promise, in words. */
function findProblems(result: Awaited<ReturnType<typeof measure>>): string[] {
  const { options, load, recovery, rolling, backlog, deaths, failover, check } = result
  const problems = violationsIn(check)
  if (result.faults['not-back']) problems.push(`${result.faults['not-back']} times a process did not come back`)
  if (result.refused === 0) problems.push('the share of the user who asks for too much was never used up')
  if (load.gaveUp > 0) problems.push(`${load.gaveUp} requests were never answered with a signature`)
  if (load.acknowledged < options.signatures) problems.push(`only ${load.acknowledged} signatures were acknowledged`)
  const tooLong = (ms: number | null): ms is number => ms !== null && ms > options.recoverySeconds * 1000
  for (const { component, maxMs, backMaxMs } of recovery) {
    const seconds = (ms: number) => (ms / 1000).toFixed(1)
    if (tooLong(maxMs)) problems.push(`after a kill of ${component} nothing was signed for ${seconds(maxMs)} s`)
    if (tooLong(backMaxMs)) problems.push(`a killed ${component} was back only after ${seconds(backMaxMs)} s`)
  }
  if (rolling && rolling.failed > 0) {
    problems.push(`${rolling.failed} requests failed during rolling restarts (${byStatus(rolling.statuses)})`)
  }
  if (failover && failover.signingMs === null) problems.push('nothing was signed after the failover')
  if (backlog && backlog.waiting < options.backlog) problems.push(`only ${backlog.waiting} proofs waited for the chain`)
  for (const point of deaths?.missed ?? []) problems.push(`no worker reached ${point}`)
  if (backlog && backlog.drainSeconds === null) problems.push('the backlog did not drain')
  return problems
}
