import { counted } from '../measure/counted.js'
import { figure, type Figure } from '../measure/Figure.js'
import type { Person } from '../stack/openPerson.js'
import type { BenchStack } from '../stack/openStack.js'
import { openServices, type BenchService } from './openServices.js'

/** How many ask at the same time, and how often they ask together in a round. */
const clients = { 1: 16, 8: 40, 32: 96 }
const counts = Object.keys(clients).map(Number) as (keyof typeof clients)[]
/** At 32 clients, at least this share of the shape's starts a second. */
const atLeast = 0.6

/** Signatures a second, each client asking for the next as soon as it has one; the shape's starts likewise. */
export async function throughput(stack: BenchStack): Promise<Figure[]> {
  const { services, shape } = await openServices(stack)
  const figures: Figure[] = []
  for (const service of services) {
    const people = await service.newPeople(8)
    const sign = async (client: number) => void (await (people[client % people.length] as Person).sign())
    const start = async () => {
      const slug = await shape.sign()
      void shape.whenComplete(slug)
    }
    const rounds = new Map<number, { shape: number; sign: number }[]>(counts.map((count) => [count, []]))
    for (let round = 0; round < 3; round++) {
      for (const count of counts) {
        const asked = counted(clients[count])
        const measured = { shape: await perSecond(count, asked, start), sign: await perSecond(count, asked, sign) }
        rounds.get(count)?.push(measured)
        await service.whenQuiet()
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

async function perSecond(clients: number, asked: number, ask: (client: number) => Promise<void>): Promise<number> {
  const start = performance.now()
  let left = asked
  const client = async (index: number) => {
    while (left-- > 0) await ask(index)
  }
  await Promise.all(Array.from({ length: clients }, (_, index) => client(index)))
  return asked / ((performance.now() - start) / 1000)
}
