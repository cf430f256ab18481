import type { Figure } from '../Figure.js'
import { completion } from './completion.js'
import { cpu } from './cpu.js'
import { growth } from './growth.js'
import { latency } from './latency.js'
import { memory } from './memory.js'
import { openService, type Person } from './openService.js'
import { throughput } from './throughput.js'

/** The whole service as people use it, over HTTP, on the processes that `npm start` runs. */
export async function service(): Promise<Figure[]> {
  const running = await openService()
  try {
    const people: Person[] = []
    for (let index = 0; index < 8; index++) people.push(await running.newPerson(`person-${index}`))
    const [first] = people as [Person]
    const parts: Record<string, () => Figure[] | Promise<Figure[]>> = {
      latency: () => latency(running, first),
      throughput: () => throughput(running, people),
      cpu: () => cpu(running, people),
      completion: () => completion(running, first),
      growth: () => growth(running, first),
      memory: () => memory(running),
    }
    const figures: Figure[] = []
    for (const [name, measure] of Object.entries(parts)) {
      const start = Date.now()
      figures.push(...(await measure()))
      console.log(`  ${name}: ${Math.round((Date.now() - start) / 1000)} s`)
    }
    return figures
  } finally {
    await running.close()
  }
}
