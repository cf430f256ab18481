import { counted } from '../measure/counted.js'
import { figure, type Figure } from '../measure/Figure.js'
import { atShare, inRounds, rest, timed, type Times } from '../measure/timing.js'
import type { Shape } from '../shape/openShape.js'
import type { Person } from '../stack/openPerson.js'
import type { BenchStack } from '../stack/openStack.js'
import { openServices, type BenchService } from './openServices.js'

const turns = 24
/** At most this many times the same shape with empty activities, and the workflow that does nothing. */
const goals = { shape: 1.35, noop: 2.6 }

type Measured = Times<'noop' | 'shape' | 'sign'>

/** `POST /sign/digest`, from request to answer, against the same shape with empty activities and a no-op workflow. */
export async function latency(stack: BenchStack): Promise<Figure[]> {
  const { services, shape } = await openServices(stack)
  const figures: Figure[] = []
  for (const service of services) {
    const [person] = (await service.newPeople(1)) as [Person]
    const round = (count: number) => measure(service, person, shape, count)
    await round(counted(8))
    figures.push(...rowsOf(service, await inRounds(3, () => round(counted(turns)))))
    await service.whenQuiet()
  }
  return figures
}

/**
 * At an idle pace, one at a time and in turn, so that a busy machine is equally busy for all three. On the fast chain
 * the proof of the last turn is complete; on the other one the last dozen wait for their blocks, as in production.
 */
async function measure(service: BenchService, person: Person, shape: Shape, count: number): Promise<Measured> {
  const times: Measured = { noop: [], shape: [], sign: [] }
  for (let turn = 0; turn < count; turn++) {
    await rest()
    times.noop.push(await timed(() => shape.noop()))
    await rest()
    let slug = ''
    times.shape.push(await timed(async () => (slug = await shape.sign())))
    await shape.whenComplete(slug)
    const request = person.newRequest()
    await rest()
    times.sign.push(
      await timed(async () => {
        const signed = await person.signDigest(request)
        slug = signed.slug
        void person.send(request, signed).catch(() => undefined)
      }),
    )
    if (service.blockSeconds === null) await person.whenComplete(slug)
  }
  return times
}

function rowsOf({ chain }: BenchService, rounds: Measured[]): Figure[] {
  return [0.5, 0.95].flatMap((part) => {
    const p = `p${part * 100}`
    const noop = { name: `no-op workflow, ${p}`, rounds: atShare(rounds, 'noop', part) }
    const shape = { name: `shape, ${p}`, rounds: atShare(rounds, 'shape', part) }
    const sign = atShare(rounds, 'sign', part)
    const atMost = (goal: number) => (part === 0.5 ? { atMost: goal } : {})
    return [
      figure(`${noop.name} (${chain})`, 'ms', noop.rounds),
      figure(`${shape.name} (${chain})`, 'ms', shape.rounds, { against: noop }),
      figure(`POST /sign/digest, ${p} (${chain})`, 'ms', sign, { against: shape, ...atMost(goals.shape) }),
      figure(`the same against the no-op, ${p} (${chain})`, 'ms', sign, { against: noop, ...atMost(goals.noop) }),
    ]
  })
}
