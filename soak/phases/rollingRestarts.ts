import { setTimeout as sleep } from 'node:timers/promises'
import { isBackInTime } from '../chaos/runChaos.js'
import type { Timeline } from '../chaos/timeline.js'
import type { Attempt, Driver } from '../load/createDriver.js'
import { keepAsking } from '../load/keepAsking.js'
import { countEach } from '../report/table.js'

export interface RollingOptions {
  restarts: number
  rate: number
  driver: Driver
  processes: Readonly<Record<string, number>>
  resent: () => number
  timeline: Timeline
}

const pauseMs = 1_000
/** A process of the cluster must have its share of the work again before the next one goes. */
const clusterPauseMs = 8_000
const restarted = /^(api|worker|temporal-(frontend|internal-frontend|history|matching|worker))(-\d+)?$/

/** The names of the processes that can be stopped one after another. */
export const restartable = (processes: Readonly<Record<string, number>>): string[] =>
  Object.keys(processes).filter((name) => restarted.test(name))

/** Stops each API, worker and process of a Temporal cluster by SIGTERM, one after another, while clients that never retry go on signing. */
export async function rollingRestarts(options: RollingOptions) {
  const { restarts, rate, driver, processes, timeline } = options
  const resentBefore = options.resent()
  const clients = keepAsking(driver, rate)
  const names = restartable(processes)
  let slowestMs = 0 // from SIGTERM until the process was gone and its successor served
  const terminated: { name: string; at: number }[] = []
  for (let index = 0; index < restarts; index++) {
    const name = names[index % names.length] as string
    const pid = processes[name]
    if (pid === undefined) continue // not back from the last time, which is in the timeline
    const start = Date.now()
    terminated.push({ name, at: start })
    timeline.add({ kind: 'terminate', target: name, detail: `process ${pid}` })
    process.kill(pid, 'SIGTERM')
    await isBackInTime(name, pid, options)
    slowestMs = Math.max(slowestMs, Date.now() - start)
    await sleep(name.startsWith('temporal-') ? clusterPauseMs : pauseMs)
  }
  await clients.stop()
  const { attempts } = clients
  return {
    restarts,
    requests: attempts.length,
    /** Requests that did not get their signature at the first attempt. */
    failed: attempts.filter(({ status }) => status !== 200).length,
    statuses: countEach(attempts.map(({ status }) => status)),
    /** The longest that one request took. */
    slowestRequestMs: longest(attempts),
    /** The same for each restarted process: of the requests that were answered before the next one was stopped. */
    slowestByProcess: terminated.map(({ name, at }, index) => {
      const until = terminated[index + 1]?.at ?? Infinity
      return { name, ms: longest(attempts.filter(({ to }) => to >= at && to < until)) }
    }),
    slowestMs,
    /** How often the balancer asked a second API. */
    resent: options.resent() - resentBefore,
  }
}

const longest = (attempts: readonly Attempt[]): number => Math.max(0, ...attempts.map(({ from, to }) => to - from))
