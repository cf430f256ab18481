import { existsSync, rmSync, writeFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Timeline } from '../chaos/timeline.js'
import type { Driver } from '../load/createDriver.js'

export interface SweepResult {
  points: number
  runs: number
  deaths: number
  /** Points that no worker reached in time. */
  missed: string[]
}

export interface SweepWorld {
  points: readonly string[]
  runs: number
  /** Read by the workers: where to die. They remove it when they do. */
  file: string
  workers: number
  driver: Driver
  processes: Readonly<Record<string, number>>
  timeline: Timeline
}

const reachedWithinMs = 60_000
const backWithinMs = 120_000

/** One signature after another, each with a worker that dies at the next point, and another one that goes on. */
export async function sweepFailpoints(world: SweepWorld): Promise<SweepResult> {
  const { points, runs, file, driver, timeline } = world
  const result: SweepResult = { points: points.length, runs, deaths: 0, missed: [] }
  for (let run = 1; run <= runs; run++) {
    for (const point of points) {
      await workersAlive(1, world) // one that serves is enough: it is the one that dies next
      timeline.add({ kind: 'failpoint', target: point, detail: `run ${run}` })
      writeFileSync(file, point)
      await driver.run(1, 1)
      const deadline = Date.now() + reachedWithinMs
      while (existsSync(file) && Date.now() < deadline) await sleep(50)
      if (existsSync(file)) {
        rmSync(file, { force: true })
        result.missed.push(point)
      } else result.deaths++
      await driver.settle(reachedWithinMs)
    }
  }
  await workersAlive(world.workers, world)
  return result
}

async function workersAlive(count: number, { processes }: SweepWorld): Promise<void> {
  const deadline = Date.now() + backWithinMs
  const alive = () => Object.keys(processes).filter((name) => name.startsWith('worker')).length
  // A killed process leaves the table a moment after its death.
  await sleep(200)
  while (alive() < count) {
    if (Date.now() > deadline) throw new Error('a worker did not come back')
    await sleep(50)
  }
}
