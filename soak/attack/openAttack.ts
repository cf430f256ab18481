import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { queryOnce } from '../../dev/stack/components/postgres.js'
import type { Progress } from '../../dev/stack/progress.js'
import { createRandom } from '../../tests/createRandom.js'
import { patiently } from '../../tests/rigs/patiently.js'
import { checkRun } from '../check/runChecker.js'
import type { Acknowledged } from '../load/acknowledge.js'
import { createUser, newEmail, type SoakUser } from '../load/createUser.js'
import { openLines } from '../load/jsonLines.js'
import { startApplication } from '../load/startApplication.js'
import type { SoakOptions } from '../parseArguments.js'
import { sizedShares } from './sizedShares.js'
import { startAttackStack } from './startAttackStack.js'

/** Enough for the whole supply to be fetched ahead: a source with few samples a day is asked for each, which takes longer. */
const samplesPerDay = 20_000
/** What is left of them: so few that the last attack begins when less than the reserve is left. */
const leftFor = (rounds: number) => 240 + 190 * rounds
/** Enough for the others in that round. */
const reserve = 400
/**
 * Shorter than production's, so that the run ends, but longer than all rounds: once its proof is published the service ends
 * a stream, and a holder that reads nothing does not notice.
 */
export const unsentSeconds = 760

/** As if the source had given this many more today. */
const useSamples = (count: number) => `
  INSERT INTO entropy_sources AS s (source, next_request_at, day, day_samples)
  VALUES ('orbitport', now(), (now() AT TIME ZONE 'UTC')::date, ${count})
  ON CONFLICT (source) DO UPDATE SET day = excluded.day, day_samples = s.day_samples + excluded.day_samples`

export type HostileName = 'flooder' | 'signer' | 'holder' | 'replayer'
const hostileCounts: Record<HostileName, number> = { flooder: 5, signer: 2, holder: 1, replayer: 1 }

/** The stack under attack, with everybody signed in, and the checker for the end. */
export async function openAttack(
  { apis, workers, users: count, seed, rounds }: SoakOptions,
  folder: string,
  progress: Progress,
) {
  const application = await startApplication(folder, createRandom(seed))
  const env = {
    WEBHOOKS_FILE: application.file,
    PUBLISH_UNSENT_AFTER: String(unsentSeconds),
    ENTROPY_RESERVE: String(reserve),
  }
  const world = await startAttackStack({ folder, apis, workers, progress, env, samplesPerDay }).catch(
    async (error: unknown) => {
      await application.close()
      throw error
    },
  )
  const stop = async () => {
    await world.stop()
    await application.close()
  }
  try {
    const { file } = world.stack
    const usedBefore = samplesPerDay - leftFor(rounds)
    await queryOnce(file.databaseUrl, useSamples(usedBefore))
    const [canary, messageCanary] = [randomBytes(16).toString('hex'), randomBytes(16).toString('hex')]
    const signInNew = (index: number, name: string, passkey: boolean): Promise<SoakUser> => {
      const email = newEmail(name)
      return patiently(() => createUser({ ...file, index, email, canary, messageCanary, passkey }))
    }
    const honest: SoakUser[] = []
    const hostile: Record<HostileName, SoakUser[]> = { flooder: [], signer: [], holder: [], replayer: [] }
    let hostileIndex = 0
    await progress.step('users sign in', async () => {
      while (honest.length < count) honest.push(await signInNew(honest.length, 'honest', honest.length % 2 === 1))
      for (const name of Object.keys(hostile) as HostileName[]) {
        while (hostile[name].length < hostileCounts[name]) {
          // What the replayer captures of its own must need a passkey.
          hostile[name].push(await signInNew(--hostileIndex, name, name === 'replayer'))
        }
      }
    })
    const everybody = [...honest, ...Object.values(hostile).flat()]
    const clientLog = join(folder, 'client.jsonl')
    const check = () =>
      checkRun({ folder, stack: world.stack, application, users: everybody, canary }, progress, {
        clientLog,
        fileNeedles: { 'the content of a message': messageCanary },
        share: { wallet: (hostile.signer[0] as SoakUser).wallet, perDay: sizedShares.users.perDay },
      })
    const record = openLines<Acknowledged>(clientLog)
    return { ...world, file, honest, hostile, record, usedBefore, samplesPerDay, check, stop }
  } catch (error) {
    await stop()
    throw error
  }
}

export type Attacked = Awaited<ReturnType<typeof openAttack>>
