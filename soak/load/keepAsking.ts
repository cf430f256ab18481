import { setTimeout as sleep } from 'node:timers/promises'
import type { Attempt, Driver } from './createDriver.js'

/**
 * Clients that never retry, at a steady rate until `stop`: each request that fails is seen. With `atMost` requests
 * unanswered the next one waits, so that a slow machine is not overloaded.
 */
export function keepAsking(driver: Driver, rate: number, atMost = Infinity) {
  const attempts: Attempt[] = []
  const pending = new Set<Promise<void>>()
  let running = true
  const ask = async () => {
    while (running) {
      while (pending.size >= atMost) await Promise.race(pending)
      const one = driver.once().then((attempt) => void attempts.push(attempt))
      pending.add(one)
      void one.finally(() => pending.delete(one))
      await sleep(1000 / rate)
    }
    await Promise.all(pending)
  }
  const asking = ask()
  return {
    attempts,
    /** Resolves when every request is answered and broadcast. */
    async stop(): Promise<void> {
      running = false
      await asking
    },
  }
}
