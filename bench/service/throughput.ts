import { figure, type Figure } from '../Figure.js'
import type { BenchService, Person } from './openService.js'

const clients = [1, 8, 32]
const signatures = 96

/** Signatures a second with several clients, each asking for the next as soon as it has one. Proofs are published meanwhile. */
export async function throughput(service: BenchService, people: Person[]): Promise<Figure[]> {
  const rounds = new Map<number, number[]>(clients.map((count) => [count, []]))
  for (let round = 0; round < 3; round++) {
    for (const count of clients) {
      rounds.get(count)?.push(await perSecond(people, count))
      await service.whenQuiet()
    }
  }
  const alone = { name: 'signatures a second, 1 client', rounds: rounds.get(1) ?? [] }
  return clients.map((count) =>
    count === 1
      ? figure(alone.name, '/s', alone.rounds)
      : figure(`signatures a second, ${count} clients`, '/s', rounds.get(count) ?? [], { against: alone }),
  )
}

async function perSecond(people: Person[], count: number): Promise<number> {
  const start = performance.now()
  let left = signatures
  const client = async (person: Person) => {
    while (left-- > 0) await person.sign()
  }
  await Promise.all(Array.from({ length: count }, (_, index) => client(people[index % people.length] as Person)))
  return signatures / ((performance.now() - start) / 1000)
}
