import { setTimeout as sleep } from 'node:timers/promises'
import type { Driver } from './createDriver.js'

const pauseMs = 700

/** A user who goes on asking when the day's share is used up. The checker counts what they got. */
export function keepOverasking(driver: Driver) {
  let stopped = false
  let refused = 0
  const run = async () => {
    while (!stopped) {
      const { status } = await driver.tryOnce()
      if (status === 429) refused += 1
      await sleep(pauseMs)
    }
  }
  const running = run()
  return {
    async stop(): Promise<{ refused: number }> {
      stopped = true
      await running
      return { refused }
    },
  }
}
