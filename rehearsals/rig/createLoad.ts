import type { Attempt, Driver } from '../../soak/load/createDriver.js'
import { keepAsking } from '../../soak/load/keepAsking.js'

const atMost = 2

/** Clients that sign at a steady rate and never retry, in one or more stretches. */
export function createLoad(driver: Driver, rate: number) {
  const attempts: Attempt[] = []
  let clients: ReturnType<typeof keepAsking> | undefined
  const all = () => [...attempts, ...(clients?.attempts ?? [])]
  const failures = () => all().filter(({ status }) => status !== 200)
  return {
    start(): void {
      clients ??= keepAsking(driver, rate, atMost)
    },
    async stop(): Promise<void> {
      await clients?.stop()
      attempts.push(...(clients?.attempts ?? []))
      clients = undefined
    },
    requests: () => all().length,
    failed: () => failures().length,
    statuses: () => [...new Set(failures().map(({ status }) => status || 'no answer'))].join(', '),
    figures: () => ({
      requests: all().length,
      failed: failures().length,
      longestMs: Math.max(0, ...all().map(({ from, to }) => to - from)),
    }),
  }
}
