import { setTimeout as sleep } from 'node:timers/promises'
import type { Random } from '../../tests/createRandom.js'
import type { Attempt, Driver } from './createDriver.js'
import type { SoakUser } from './createUser.js'

/** Does the same again and again until `stop`, each time after as many milliseconds as the last one gave. */
function keepDoing(work: () => Promise<number>): { stop(): Promise<void> } {
  const stopping = new AbortController()
  const run = async () => {
    while (!stopping.signal.aborted) await sleep(await work(), undefined, stopping).catch(() => undefined)
  }
  const running = run()
  return {
    async stop() {
      stopping.abort()
      await running
    },
  }
}

/**
 * New users sign in and get wallets while there are faults. A user that a fault stops half way is not tried again; the
 * receipt of their key must still be published.
 */
export const keepAddingUsers = (addUser: () => Promise<void>) =>
  keepDoing(async () => {
    await addUser().catch(() => undefined)
    return 10_000
  })

/** A user who goes on asking when the day's share is used up. The checker counts what they got. */
export function keepOverasking(driver: Driver) {
  let refused = 0
  const asking = keepDoing(async () => {
    const { status } = await driver.tryOnce()
    if (status !== 429) return 700
    refused += 1
    return 2_000
  })
  return { ...asking, refused: () => refused }
}

/** Signs users in again and again, so that an outage of the identity provider is noticed. */
export function keepSigningIn(users: readonly SoakUser[], random: Random) {
  const attempts: Attempt[] = []
  const signing = keepDoing(async () => {
    const from = Date.now()
    const signedIn = random.pick(users).signInAgain()
    const status = await signedIn.then(() => 200).catch(() => 0)
    attempts.push({ from, to: Date.now(), status })
    return status === 200 ? 3_000 : 250
  })
  return { ...signing, attempts }
}
