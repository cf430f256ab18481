import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import type { Progress } from '../dev/stack/progress.js'
import { planFaults } from './chaos/plan.js'
import { runChaos } from './chaos/runChaos.js'
import { openTimeline, type Timeline } from './chaos/timeline.js'
import { writeRunFile } from './check/RunFile.js'
import { runChecker } from './check/runChecker.js'
import { collectNeedles } from './collectNeedles.js'
import { findProblems } from './findProblems.js'
import { openClientLog } from './load/clientLog.js'
import { createDriver, type Driver } from './load/createDriver.js'
import { createUser, type SoakUser } from './load/createUser.js'
import { keepSigningIn } from './load/keepSigningIn.js'
import type { SoakOptions } from './parseArguments.js'
import { drainBacklog } from './phases/drainBacklog.js'
import { rollingRestarts } from './phases/rollingRestarts.js'
import { waitForQuiet } from './phases/waitForQuiet.js'
import { createRandom } from './random.js'
import { measureDisk, measureMemory } from './report/measureMemory.js'
import { measureRecovery } from './report/recovery.js'
import { summariseLoad } from './report/summariseLoad.js'
import type { SoakResult } from './SoakResult.js'
import { startSoakStack, type SoakStack } from './startSoakStack.js'
import { sweepOften } from './sweepOften.js'

const quietWithinMs = 180_000
const answersWithinMs = 90_000
const rollingRate = 3

/** The whole fault test in a folder of its own. */
export async function runSoak(options: SoakOptions, folder: string, progress: Progress): Promise<SoakResult> {
  const takenAt = new Date().toISOString()
  const dir = join(folder, '.perigee')
  const world = await startSoakStack({ dir, apis: options.apis, workers: options.workers, progress })
  try {
    const { stack, links, balancer } = world
    await sweepOften(world, options.profile === 'long' ? 60 : 20)
    const canary = randomBytes(16).toString('hex')
    const users = await progress.step('people sign in', () => signInAll(world, options.users, canary))
    const random = createRandom(options.seed)
    const clientLog = join(folder, 'client.jsonl')
    const timeline = openTimeline(join(folder, 'timeline.jsonl'), progress.say)
    const driver = createDriver({
      ...{ apiUrl: stack.file.apiUrl, users, random, record: openClientLog(clientLog) },
      ...{ repeatOneIn: 40, maxInFlight: 48 },
    })

    const begun = Date.now()
    const signIns = keepSigningIn(users, createRandom(options.seed + 1))
    await underFaults(options, world, driver, timeline)
    await signIns.stop()
    await driver.settle(answersWithinMs)
    const load = summariseLoad(driver, clientLog, Date.now() - begun, signIns.attempts.length)
    const recovery = measureRecovery(timeline.events, driver.attempts, signIns.attempts)
    const quietSeconds = await progress.step('quiet', () => waitForQuiet(stack.file, quietWithinMs))

    const { processes } = stack.file
    const rolling =
      options.rolling > 0
        ? await rollingRestarts({
            ...{ restarts: options.rolling, rate: rollingRate, driver, processes, resent: balancer.resent, timeline },
          })
        : null
    const backlog =
      options.backlog > 0
        ? await drainBacklog(options.backlog, { driver, chain: links['worker-chain'], stack: stack.file, timeline })
        : null
    if (rolling || backlog) await progress.step('quiet again', () => waitForQuiet(stack.file, quietWithinMs))

    const runFile = join(folder, 'run.json')
    writeRunFile(runFile, {
      ...{ seed: options.seed, stack: stack.file, clientLog, timeline: timeline.file, logs: stack.logs },
      ...{ temporalFiles: join(dir, 'temporal'), trustAnchors: join(dir, 'trust-anchors.json') },
      codecKeys: world.env['TEMPORAL_CODEC_KEYS'] ?? '',
      needles: collectNeedles(dir, world.env, users, canary),
    })
    const memoryMb = await measureMemory(processes)
    const diskMb: Record<string, number> = {}
    for (const name of ['temporal', 'anvil', 'kubo', 'postgres', 'logs']) {
      diskMb[name] = await measureDisk(join(dir, name))
    }
    const check = await progress.step('checker', () => runChecker(runFile, join(folder, 'evidence.json')))
    const result: Omit<SoakResult, 'problems'> = {
      ...{ options, takenAt, timeline: timeline.file, faults: countFaults(timeline), load, recovery, quietSeconds },
      ...{ rolling, backlog, check, memoryMb, diskMb },
    }
    return { ...result, problems: findProblems(result) }
  } finally {
    await world.stop()
  }
}

/** Signs at the given rate for as long as there are faults, and until enough was asked for. */
async function underFaults(options: SoakOptions, world: SoakStack, driver: Driver, timeline: Timeline): Promise<void> {
  const { seed, kills, signatures, rate } = options
  const plan = planFaults({ seed, kills, durationMs: (signatures / rate) * 1000 * 0.95 })
  const { processes, rpcUrl } = world.stack.file
  let over = false
  const loading = driver.run(Infinity, rate, () => over && driver.state.asked >= signatures)
  try {
    await runChaos(plan, { processes, links: world.links, rpcUrl, timeline, stopped: () => false })
  } finally {
    over = true
    await loading
  }
}

async function signInAll({ stack }: SoakStack, count: number, canary: string): Promise<SoakUser[]> {
  const users: SoakUser[] = []
  for (let index = 0; index < count; index++) {
    const email = `soak-${index}-${randomBytes(4).toString('hex')}@example.test`
    const { apiUrl, webUrl, chainId } = stack.file
    users.push(await createUser({ index, email, apiUrl, webUrl, chainId, canary }))
  }
  return users
}

function countFaults({ events }: Timeline): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const { kind } of events) counts[kind] = (counts[kind] ?? 0) + 1
  return counts
}
