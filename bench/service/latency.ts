import { figure, type Figure } from '../Figure.js'
import type { BenchStack } from '../stack/openStack.js'
import { atShare, inRounds, rest, timed, type Times } from '../timing.js'
import { withService, type BenchService } from './openService.js'
import type { Client } from '../stack/openPerson.js'
import { ways, withWay, type Way } from './ways.js'
import { counted } from '../counted.js'

const turns = 24
/** Nobody's first request is typical: an API and the no-op's worker are new here, and compile their code for a while. */
const warmUp = { turns: 96, atOnce: 4 }

/** `POST /sign/digest`, request to answer, against start to result of a workflow that does nothing, for each way. */
export function latency(stack: BenchStack): Promise<Figure[]> {
  return withService(stack, async (service) => {
    const person = await service.newPerson()
    const figures: Figure[] = []
    for (const way of ways) {
      const measured = await withWay(stack, way, async ({ url }) => {
        const client = person.through(url)
        const share = counted(warmUp.turns / warmUp.atOnce)
        await Promise.all(Array.from({ length: warmUp.atOnce }, () => round(service, client, share)))
        return rowsOf(way, await inRounds(3, () => round(service, client, counted(turns))))
      })
      figures.push(...measured)
    }
    return figures
  })
}

/**
 * At an idle pace, one at a time and in turn with the workflow that does nothing, so that a busy machine is equally busy
 * for both. Before the next turn the signature's own proof is published.
 */
async function round(service: BenchService, client: Client, count: number): Promise<Times<'noop' | 'sign'>> {
  const times: Times<'noop' | 'sign'> = { noop: [], sign: [] }
  for (let turn = 0; turn < count; turn++) {
    let slug = ''
    await rest()
    times.noop.push(await timed(() => service.noop()))
    const request = client.request()
    await rest()
    times.sign.push(await timed(async () => (slug = await client.sign(request))))
    await client.whenComplete(slug)
  }
  return times
}

function rowsOf({ name: way, atMost }: Way, rounds: Times<'noop' | 'sign'>[]): Figure[] {
  return [0.5, 0.95, 0.99].flatMap((part) => {
    const p = `p${part * 100}`
    const noop = { name: `no-op workflow, ${p}`, rounds: atShare(rounds, 'noop', part) }
    const goal = part === 0.5 ? { atMost } : {}
    return [
      figure(`${noop.name} (while signed ${way})`, 'ms', noop.rounds),
      figure(`POST /sign/digest, signed ${way}, ${p}`, 'ms', atShare(rounds, 'sign', part), { against: noop, ...goal }),
    ]
  })
}
