import { setTimeout as sleep } from 'node:timers/promises'
import { counted } from '../measure/counted.js'
import { figure, type Figure } from '../measure/Figure.js'
import { inLanes, inRounds } from '../measure/timing.js'
import type { Shape } from '../shape/openShape.js'
import type { Person } from '../stack/openPerson.js'
import type { BenchStack } from '../stack/openStack.js'
import { openServices, type BenchService } from './openServices.js'
import { cpuMs } from './processes.js'

/**
 * How many at the same time. A round is several blocks of each kind in turn: Temporal's server collects garbage every few
 * dozen workflows, and that must not fall on one kind by chance.
 */
interface Pace {
  name: string
  atOnce: number
  blocks: number
  count: number
}
const fastPaces: Pace[] = [
  { name: 'one at a time', atOnce: 1, blocks: 3, count: 10 },
  { name: 'eight at once', atOnce: 8, blocks: 2, count: 24 },
]
/** A proof takes some seven seconds there, nearly all of them waiting. */
const slowPaces: Pace[] = [{ name: 'eight at once', atOnce: 8, blocks: 2, count: 16 }]
/** What the server does after the end of a workflow belongs to its block. */
const afterMs = 200
const idleMs = 5_000
/** CPU of a whole proof: at most this many times the shape's. */
const atMost = 1.6

/** CPU milliseconds by process. */
type Spent = Record<string, number>
type Kind = 'noop' | 'shape' | 'proof'
type Work = (index: number) => Promise<void>

/**
 * CPU of one whole proof (signed, pinned, published), in the Temporal server and the worker, against the same for the
 * shape with empty activities. The processes' idle CPU is measured first and subtracted. Whether a proof is complete is
 * read from the record, so that no query is counted.
 */
export async function cpu(stack: BenchStack): Promise<Figure[]> {
  const { services, shape } = await openServices(stack)
  const figures: Figure[] = []
  for (const service of services) figures.push(...(await measure(service, shape)))
  return figures
}

async function measure(service: BenchService, shape: Shape): Promise<Figure[]> {
  const pids = { ...service.pids, shapeWorker: shape.pid }
  const people = await service.newPeople(8)
  const kinds: Record<Kind, Work> = {
    noop: () => shape.noop(),
    shape: async () => shape.whenComplete(await shape.sign()),
    proof: async (index) => {
      const person = people[index % people.length] as Person
      await person.whenComplete(await person.sign(), service.blockSeconds === null ? 20 : 250)
    },
  }
  await service.whenQuiet()
  const { used, ms } = await spentDuring(pids, () => sleep(counted(idleMs)))
  const idle = Object.fromEntries(Object.entries(used).map(([name, spent]) => [name, spent / ms]))
  const paces = service.blockSeconds === null ? fastPaces : slowPaces
  const rounds = await inRounds(3, async () => {
    const measured: Record<Kind, Spent>[] = []
    for (const pace of paces) measured.push(await inTurn(pids, idle, pace, kinds))
    return measured
  })
  const of = (index: number, kind: Kind, names: string[]) =>
    rounds.map((paced) => names.reduce((sum, name) => sum + (paced[index]?.[kind][name] ?? NaN), 0))
  return paces.flatMap((pace, index) => rowsOf(`${pace.name} (${service.chain})`, (...which) => of(index, ...which)))
}

function rowsOf(pace: string, of: (kind: Kind, names: string[]) => number[]): Figure[] {
  const shape = { name: 'shape', rounds: of('shape', ['temporal', 'shapeWorker']) }
  const server = { name: 'the server’s for the shape', rounds: of('shape', ['temporal']) }
  const worker = { name: 'the worker’s for the shape', rounds: of('shape', ['shapeWorker']) }
  const noop = { name: 'no-op workflow', rounds: of('noop', ['temporal', 'shapeWorker']) }
  return [
    figure(`CPU of a no-op workflow, ${pace}`, 'ms', noop.rounds),
    figure(`CPU of the shape, ${pace}`, 'ms', shape.rounds, { against: noop }),
    figure(`CPU of a proof (server and worker), ${pace}`, 'ms', of('proof', ['temporal', 'worker']), {
      against: shape,
      atMost,
    }),
    figure(`… of it the Temporal server, ${pace}`, 'ms', of('proof', ['temporal']), { against: server }),
    figure(`… of it the worker, ${pace}`, 'ms', of('proof', ['worker']), { against: worker }),
    figure(`CPU of the API for a proof, ${pace}`, 'ms', of('proof', ['api']), { against: shape }),
  ]
}

/** The CPU of one operation of each kind: the mean over all blocks. */
async function inTurn(
  pids: Record<string, number>,
  idle: Spent,
  pace: Pace,
  kinds: Record<Kind, Work>,
): Promise<Record<Kind, Spent>> {
  const spent: Record<Kind, Spent> = { noop: {}, shape: {}, proof: {} }
  const count = counted(pace.count)
  for (let block = 0; block < pace.blocks; block++) {
    for (const kind of Object.keys(kinds) as Kind[]) {
      const { used, ms } = await spentDuring(pids, async () => {
        await inLanes(pace.atOnce, count, kinds[kind])
        await sleep(afterMs)
      })
      for (const [name, whole] of Object.entries(used)) {
        const one = (whole - (idle[name] ?? 0) * ms) / count / pace.blocks
        spent[kind][name] = (spent[kind][name] ?? 0) + one
      }
    }
  }
  return spent
}

async function spentDuring(pids: Record<string, number>, work: () => Promise<unknown>) {
  const read = () => Object.fromEntries(Object.entries(pids).map(([name, pid]) => [name, cpuMs(pid)]))
  const [before, start] = [read(), performance.now()]
  await work()
  const ms = performance.now() - start
  const used: Spent = Object.fromEntries(Object.entries(read()).map(([name, now]) => [name, now - (before[name] ?? 0)]))
  return { used, ms }
}
