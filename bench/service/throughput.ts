import { counted } from '../measure/counted.js'
import { figure, type Figure } from '../measure/Figure.js'
import { inLanes, timed } from '../measure/timing.js'
import type { Person } from '../stack/openPerson.js'
import type { BenchStack } from '../stack/openStack.js'
import { openServices, type BenchService } from './openServices.js'

/** How many ask at the same time, and how often they ask together in a round. Never so few that it is a single burst. */
const clients = { 1: 16, 8: 40, 32: 96 }
const leastTurns = 2
const counts = Object.keys(clients).map(Number) as (keyof typeof clients)[]
/** At 32 clients, at least this share of the shape's starts a second. */
const atLeast = 0.6

/**
 * Signatures a second, each client asking for the next as soon as it has one; the shape's starts likewise. Both begin on a
 * quiet machine: what the one leaves to be published must not slow the other.
 */
export async function throughput(stack: BenchStack): Promise<Figure[]> {
  const { services, shape } = await openServices(stack)
  const figures: Figure[] = []
  for (const service of services) {
    const people = await service.newPeople(8)
    const publishing: Promise<void>[] = []
    const sign = async (index: number) => {
      const person = people[index % people.length] as Person
      const request = person.newRequest()
      const sent = person.send(request, await person.signDigest(request))
      sent.catch(() => undefined) // thrown again when all have been sent
      publishing.push(sent)
    }
    const start = async () => void publishing.push(shape.whenComplete(await shape.sign()))
    const measure = async (count: number, asked: number, ask: (index: number) => Promise<void>) => {
      const rate = asked / ((await timed(() => inLanes(count, asked, ask))) / 1000)
      await Promise.all(publishing.splice(0))
      await service.whenQuiet()
      return rate
    }
    const rounds = new Map<number, { shape: number; sign: number }[]>(counts.map((count) => [count, []]))
    for (let round = 0; round < 3; round++) {
      for (const count of counts) {
        const asked = Math.max(leastTurns * count, counted(clients[count]))
        rounds.get(count)?.push({ shape: await measure(count, asked, start), sign: await measure(count, asked, sign) })
      }
    }
    figures.push(...counts.flatMap((count) => rowsOf(service, count, rounds.get(count) ?? [])))
  }
  return figures
}

function rowsOf({ chain }: BenchService, count: number, rounds: { shape: number; sign: number }[]): Figure[] {
  const clients = count === 1 ? '1 client' : `${count} clients`
  const shape = { name: `starts of the shape a second, ${clients}`, rounds: rounds.map((round) => round.shape) }
  const sign = rounds.map((round) => round.sign)
  return [
    figure(`${shape.name} (${chain})`, '/s', shape.rounds),
    figure(`signatures a second, ${clients} (${chain})`, '/s', sign, {
      against: shape,
      ...(count === 32 && { atLeast }),
    }),
  ]
}
