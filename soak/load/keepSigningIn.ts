import { setTimeout as sleep } from 'node:timers/promises'
import type { Random } from '../../tests/createRandom.js'
import type { Attempt } from './createDriver.js'
import type { SoakUser } from './createUser.js'

const pauseMs = 3_000
const retryMs = 250

/** Signs users in again and again, so that an outage of the identity provider is noticed. */
export function keepSigningIn(
  users: readonly SoakUser[],
  random: Random,
): { attempts: Attempt[]; stop(): Promise<void> } {
  const attempts: Attempt[] = []
  let stopped = false
  const run = async () => {
    while (!stopped) {
      const from = Date.now()
      const ok = await random
        .pick(users)
        .signInAgain()
        .then(
          () => true,
          () => false,
        )
      attempts.push({ from, to: Date.now(), status: ok ? 200 : 0 })
      await sleep(ok ? pauseMs : retryMs)
    }
  }
  const running = run()
  return {
    attempts,
    stop: async () => {
      stopped = true
      await running
    },
  }
}
