import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import type { Progress } from '../dev/stack/progress.js'
import { openTimeline } from './chaos/timeline.js'
import { writeRunFile, type RunFile } from './check/RunFile.js'
import { runChecker } from './check/runChecker.js'
import { collectNeedles } from './check/collectNeedles.js'
import { openClientLog } from './load/clientLog.js'
import { createDriver } from './load/createDriver.js'
import { createUser, type SoakUser } from './load/createUser.js'
import type { SoakOptions } from './parseArguments.js'
import { createRandom } from '../tests/createRandom.js'
import { startSoakStack, type SoakStack } from './startSoakStack.js'
import { repairOften } from './repairSchedule.js'

export interface RunPlace {
  folder: string
  progress: Progress
  env?: NodeJS.ProcessEnv
  workerEntry?: string
  /** One transaction in this many is never broadcast; 0: all are. */
  unsentOneIn: number
  /** What must be done before workers get work, such as making their version current. */
  prepare?: (world: SoakStack) => Promise<void>
}

export type RunOptions = Pick<SoakOptions, 'apis' | 'workers' | 'seed' | 'users' | 'profile'> &
  Partial<Pick<SoakOptions, 'cluster'>>

/** A stack with users who are signed in, a driver, a timeline, and the checker for the end. */
export async function openRun(options: RunOptions, place: RunPlace) {
  const { folder, unsentOneIn, prepare, ...given } = place
  const { progress } = place
  const dir = join(folder, '.perigee')
  const { apis, workers, seed, cluster = false } = options
  const world = await startSoakStack({ ...given, dir, apis, workers, cluster })
  try {
    const { stack } = world
    await prepare?.(world)
    await repairOften(stack.file, options.profile === 'long' ? 60 : 20)
    const canary = randomBytes(16).toString('hex')
    const users: SoakUser[] = []
    /** Signs another user in and gives them a wallet. */
    const addUser = async () => void users.push(await signInNew(world, users.length, canary))
    await progress.step('users sign in', async () => {
      while (users.length < options.users) await addUser()
    })
    const clientLog = join(folder, 'client.jsonl')
    const timeline = openTimeline(join(folder, 'timeline.jsonl'), progress.say)
    const driver = createDriver({
      apiUrl: stack.file.apiUrl,
      rpcUrl: stack.file.rpcUrl,
      users,
      random: createRandom(seed),
      record: openClientLog(clientLog),
      repeatOneIn: 40,
      unsentOneIn,
      maxInFlight: 48,
    })
    /** `changes`: where the evidence is not where the stack had it at its start. */
    const check = (changes: Partial<RunFile> = {}) => {
      const runFile = join(folder, 'run.json')
      writeRunFile(runFile, {
        stack: stack.file,
        clientLog,
        logs: stack.logs,
        temporalFiles: cluster ? null : join(dir, 'temporal'),
        trustAnchors: join(dir, 'trust-anchors.json'),
        codecKeys: stack.env['TEMPORAL_CODEC_KEYS'] ?? '',
        needles: collectNeedles(dir, stack.env, users, canary),
        ...changes,
      })
      // The evidence of ten thousand proofs is too large for one file.
      const evidence = options.profile === 'short' ? join(folder, 'evidence.json') : undefined
      return progress.step('checker', () => runChecker(runFile, evidence))
    }
    return { world, dir, users, driver, timeline, clientLog, addUser, check }
  } catch (error) {
    await world.stop()
    throw error
  }
}

export type SoakRun = Awaited<ReturnType<typeof openRun>>

async function signInNew({ stack }: SoakStack, index: number, canary: string): Promise<SoakUser> {
  const email = `soak-${index}-${randomBytes(4).toString('hex')}@example.test`
  const { apiUrl, webUrl, chainId, rpcUrl } = stack.file
  return createUser({ index, email, apiUrl, webUrl, chainId, rpcUrl, canary })
}
