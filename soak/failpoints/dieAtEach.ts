import { existsSync, rmSync, writeFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { waitUntil } from '../../dev/stack/processes/waitUntil.js'
import type { Failpoint } from '../../tests/rigs/failpoints/failpoints.js'
import type { Timeline } from '../chaos/timeline.js'
import type { Driver } from '../load/createDriver.js'

export interface DeathsWorld {
  points: readonly Failpoint[]
  runs: number
  /** Names the point at which a worker dies. The worker removes it first. */
  file: string
  workers: number
  driver: Driver
  /** Does the work that reaches this point. */
  provoke(failpoint: Failpoint): Promise<void>
  processes: Readonly<Record<string, number>>
  timeline: Timeline
}

const reachedWithinMs = 180_000
const backWithinMs = 300_000

/** For each point in turn: work that reaches it, a worker that dies there, and another worker that goes on. */
export async function dieAtEach(world: DeathsWorld) {
  const { points, runs, file, driver, timeline } = world
  /** Points that no worker reached in time. */
  const missed: string[] = []
  let deaths = 0
  for (let run = 1; run <= runs; run++) {
    for (const failpoint of points) {
      const { workflow, point } = failpoint
      await workersAlive(1, world) // one is enough: it is the next to die
      timeline.add({ kind: 'failpoint', target: point, detail: `in ${workflow}, run ${run}` })
      writeFileSync(file, point)
      await world.provoke(failpoint)
      const deadline = Date.now() + reachedWithinMs
      while (existsSync(file) && Date.now() < deadline) await sleep(50)
      if (existsSync(file)) {
        rmSync(file, { force: true })
        missed.push(`${point} in ${workflow}`)
      } else deaths++
      await driver.whenAnswered(reachedWithinMs)
    }
  }
  await workersAlive(world.workers, world)
  return { points: points.length, runs, deaths, missed }
}

async function workersAlive(count: number, { processes }: DeathsWorld): Promise<void> {
  await sleep(200) // a killed process leaves the table a moment after its death
  const areAlive = async () => Object.keys(processes).filter((name) => name.startsWith('worker')).length >= count
  await waitUntil(`worker ${count}`, areAlive, { timeoutMs: backWithinMs })
}
