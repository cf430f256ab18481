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
    return [
      ...(await latency(running, first)),
      ...(await throughput(running, people)),
      ...(await cpu(running, people)),
      ...(await completion(running, first)),
      ...(await growth(running, first)),
      ...memory(running),
    ]
  } finally {
    await running.close()
  }
}
