import { setTimeout as sleep } from 'node:timers/promises'
import type { Timeline } from '../chaos/timeline.js'
import type { Attempt, Driver } from '../load/createDriver.js'

export interface RollingResult {
  restarts: number
  requests: number
  /** Requests that did not get their signature at the first attempt. */
  failed: number
  statuses: Record<string, number>
  /** From SIGTERM until the process was gone and its successor served. */
  slowestMs: number
  /** How often the balancer asked a second API. */
  resent: number
}

export interface RollingOptions {
  restarts: number
  rate: number
  driver: Driver
  processes: Readonly<Record<string, number>>
  resent: () => number
  timeline: Timeline
}

const pauseMs = 1_000
const backWithinMs = 90_000

/** Stops each API and worker by SIGTERM, one after another, while clients that never retry go on signing. */
export async function rollingRestarts(options: RollingOptions): Promise<RollingResult> {
  const { restarts, rate, driver, processes, timeline } = options
  const attempts: Attempt[] = []
  const pending = new Set<Promise<void>>()
  let running = true
  const load = async () => {
    while (running) {
      const one = driver.once().then((attempt) => void attempts.push(attempt))
      pending.add(one)
      void one.finally(() => pending.delete(one))
      await sleep(1000 / rate)
    }
    await Promise.all(pending)
  }
  const resentBefore = options.resent()
  const loading = load()
  const names = Object.keys(processes).filter((name) => /^(api|worker)(-\d+)?$/.test(name))
  let slowestMs = 0
  for (let index = 0; index < restarts; index++) {
    const name = names[index % names.length] as string
    const pid = processes[name]
    if (pid === undefined) continue // not back from the last time, which is in the timeline
    const start = Date.now()
    timeline.add({ kind: 'terminate', target: name, detail: `process ${pid}` })
    process.kill(pid, 'SIGTERM')
    const isBack = () => processes[name] !== undefined && processes[name] !== pid
    while (!isBack() && Date.now() - start < backWithinMs) await sleep(50)
    if (!isBack()) timeline.add({ kind: 'not-back', target: name })
    slowestMs = Math.max(slowestMs, Date.now() - start)
    await sleep(pauseMs)
  }
  running = false
  await loading
  const statuses: Record<string, number> = {}
  for (const { status } of attempts) statuses[status] = (statuses[status] ?? 0) + 1
  const failed = attempts.filter(({ status }) => status !== 200).length
  return { restarts, requests: attempts.length, failed, statuses, slowestMs, resent: options.resent() - resentBefore }
}
