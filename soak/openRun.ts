import { randomBytes } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { subjectOf } from '../dev/identityProvider/account.js'
import type { Progress } from '../dev/stack/progress.js'
import { sharesFile } from '../dev/stack/settings/environment.js'
import { openTimeline } from './chaos/timeline.js'
import type { RunFile } from './check/RunFile.js'
import { checkRun } from './check/runChecker.js'
import type { Acknowledged } from './load/acknowledge.js'
import { createDriver } from './load/createDriver.js'
import { createUser, newEmail, type SoakUser } from './load/createUser.js'
import { openLines } from './load/jsonLines.js'
import { startApplication } from './load/startApplication.js'
import type { SoakOptions } from './parseArguments.js'
import { patiently } from '../tests/rigs/patiently.js'
import { createRandom } from '../tests/createRandom.js'
import { startSoakStack, type SoakStack } from './startSoakStack.js'
import { repairOften } from './jobs.js'

export interface RunPlace {
  folder: string
  progress: Progress
  env?: NodeJS.ProcessEnv
  workerEntry?: string
  /** See SoakStackOptions. */
  thrifty?: boolean
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
  const application = await startApplication(folder, createRandom(seed + 2))
  const email = newEmail('greedy')
  const env = { ...given.env, WEBHOOKS_FILE: application.file, SHARES_FILE: writeShares(folder, email) }
  const world = await startSoakStack({ ...given, env, dir, apis, workers, cluster })
  world.beforeStop(application)
  try {
    const { stack } = world
    await prepare?.(world)
    await repairOften(stack.file, options.profile === 'long' ? 60 : 20)
    const canary = randomBytes(16).toString('hex')
    const messageCanary = randomBytes(16).toString('hex')
    const users: SoakUser[] = []
    const { apiUrl, rpcUrl } = stack.file
    const signInNew = (index: number, email = newEmail(`soak-${index}`)) =>
      createUser({ ...stack.file, index, email, canary, messageCanary, passkey: index % 2 === 1 })
    /** Signs another user in and gives them a wallet; every other one has a passkey. */
    const addUser = async () => void users.push(await signInNew(users.length))
    const greedy = await progress.step('users sign in', async () => {
      while (users.length < options.users) await patiently(addUser)
      return patiently(() => signInNew(-1, email))
    })
    const clientLog = join(folder, 'client.jsonl')
    const timeline = openTimeline(join(folder, 'timeline.jsonl'), progress.say)
    const common = { apiUrl, rpcUrl, record: openLines<Acknowledged>(clientLog), messageOneIn: 4, maxInFlight: 48 }
    const driver = createDriver({ ...common, users, random: createRandom(seed), repeatOneIn: 40, unsentOneIn })
    /** Of one user, who asks for more than the share. */
    const once = { repeatOneIn: Infinity, unsentOneIn: 0 }
    const greedyDriver = createDriver({ ...common, users: [greedy], random: createRandom(seed + 3), ...once })
    /** `changes`: where the evidence is not where the stack had it at its start. */
    const check = (changes: Partial<RunFile> = {}) => {
      // The evidence of ten thousand proofs is too large for one file.
      const evidence = options.profile === 'short' ? join(folder, 'evidence.json') : undefined
      const fileNeedles = {
        'the content of a message': messageCanary,
        'the content of a message in hex': Buffer.from(messageCanary).toString('hex'),
      }
      const share = { wallet: greedy.wallet, perDay: greedyPerDay }
      const own = { clientLog, fileNeedles, share, ...(cluster && { temporalFiles: null }), ...changes }
      return checkRun({ folder, stack, application, users: [...users, greedy], canary, evidence }, progress, own)
    }
    return { world, dir, users, driver, timeline, clientLog, greedyDriver, addUser, check }
  } catch (error) {
    await world.stop()
    throw error
  }
}

export type SoakRun = Awaited<ReturnType<typeof openRun>>

/** What the greedy user may have signed on a day, the making of the wallet included. */
const greedyPerDay = 12

/** Shares that stop nobody but the greedy user. */
function writeShares(folder: string, email: string): string {
  const file = join(folder, 'shares.json')
  const plenty = JSON.parse(readFileSync(sharesFile, 'utf8')) as { users: object }
  const users = { ...plenty.users, perDay: greedyPerDay }
  const group = { name: 'greedy', members: [`dev:${subjectOf(email)}`], users, group: plenty.users }
  writeFileSync(file, JSON.stringify({ ...plenty, groups: [group] }))
  return file
}
