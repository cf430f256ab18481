import { figure, type Figure } from '../Figure.js'
import type { Person } from '../stack/openPerson.js'
import type { BenchStack } from '../stack/openStack.js'
import { withService } from './openService.js'
import { counted } from '../counted.js'

/** How many sign at once, and how many signatures they make together in a round. */
const clients = { 1: 16, 8: 40, 32: 64 }
const counts = Object.keys(clients).map(Number) as (keyof typeof clients)[]

/** Signatures a second with several clients, each asking for the next as soon as it has one. Proofs are published meanwhile. */
export function throughput(stack: BenchStack): Promise<Figure[]> {
  return withService(stack, async (service) => {
    const people = await service.newPeople(8)
    await perSecond(people, 8, counted(32)) // so that no round compiles what the others find compiled
    await service.whenQuiet()
    const rounds = new Map<number, number[]>(counts.map((count) => [count, []]))
    for (let round = 0; round < 3; round++) {
      for (const count of counts) {
        rounds.get(count)?.push(await perSecond(people, count, counted(clients[count])))
        await service.whenQuiet()
      }
    }
    const alone = { name: 'signatures a second, 1 client', rounds: rounds.get(1) ?? [] }
    return counts.map((count) =>
      count === 1
        ? figure(alone.name, '/s', alone.rounds)
        : figure(`signatures a second, ${count} clients`, '/s', rounds.get(count) ?? [], { against: alone }),
    )
  })
}

async function perSecond(people: Person[], count: number, signatures: number): Promise<number> {
  const start = performance.now()
  let left = signatures
  const client = async (person: Person) => {
    while (left-- > 0) await person.sign()
  }
  await Promise.all(Array.from({ length: count }, (_, index) => client(people[index % people.length] as Person)))
  return signatures / ((performance.now() - start) / 1000)
}
