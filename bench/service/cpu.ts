import { figure, type Figure } from '../Figure.js'
import type { Client } from '../stack/openPerson.js'
import type { BenchStack } from '../stack/openStack.js'
import { inRounds } from '../timing.js'
import { withService, type BenchService } from './openService.js'
import { cpuMs } from './processes.js'
import { ways, withWay, type Way } from './ways.js'
import { counted } from '../counted.js'

/** Paces: how many at once, and of how many operations the mean is taken in a round. */
const paces = [
  { name: 'one at a time', atOnce: 1, proofs: 24, noops: 40 },
  { name: 'eight at once', atOnce: 8, proofs: 40, noops: 64 },
]
const idleMs = 6_000
/**
 * A worker lives for days: what it spends on compiling its code in its first minutes belongs to no proof. In its first 500
 * proofs it compiles for about 18 ms a proof, in the next hundred for 6. `throughput` has made some 400 before this. Where
 * the API signs, it is new, and has workflows to compile too.
 */
const warmUpOf = ({ apiSigns }: Way) => (apiSigns ? { noops: 50, proofs: 400 } : { noops: 400, proofs: 500 })

type Pids = Record<string, number>
/** CPU milliseconds by process. */
type Spent = Record<string, number>

/**
 * CPU of one whole proof (signed, pinned, published) against that of a workflow that does nothing: the Temporal server
 * and the process that runs the workflow. What the processes use with nothing to do is measured before and taken off.
 * Whether a proof is complete is read from the record, so that no asking is counted.
 */
export function cpu(stack: BenchStack): Promise<Figure[]> {
  return withService(stack, async (service) => {
    const people = await service.newPeople(8)
    const figures: Figure[] = []
    for (const way of ways) {
      const measured = await withWay(stack, way, async ({ url, pid }) => {
        const clients = people.map((person) => person.through(url))
        return rowsOf(way, await measureWay(service, clients, pid, warmUpOf(way)))
      })
      figures.push(...measured)
    }
    return figures
  })
}

type WarmUp = ReturnType<typeof warmUpOf>

async function measureWay(service: BenchService, clients: Client[], api: number, warmUp: WarmUp) {
  const { temporal = 0, worker = 0 } = service.processes
  const pids: Pids = { temporal, worker, api, noopWorker: service.noopWorkerPid }
  const noop = () => service.noop()
  const proof = async (index: number) => {
    const client = clients[index % clients.length] as Client
    await client.whenComplete(await client.sign())
  }
  await perOperation(pids, {}, 8, counted(warmUp.noops), noop)
  await perOperation(pids, {}, 8, counted(warmUp.proofs), proof)
  await service.whenQuiet()
  const idle = await perMs(pids, () => new Promise((resolve) => setTimeout(resolve, idleMs)))
  const rounds = await inRounds(3, async () => {
    await service.whenQuiet()
    const measured = []
    for (const { atOnce, proofs, noops } of paces) {
      measured.push({
        noop: await perOperation(pids, idle, atOnce, counted(noops), noop),
        proof: await perOperation(pids, idle, atOnce, counted(proofs), proof),
      })
    }
    return measured
  })
  return { idle, rounds }
}

type Measured = Awaited<ReturnType<typeof measureWay>>

function rowsOf({ name: way, apiSigns }: Way, { idle, rounds }: Measured): Figure[] {
  const sum = (spent: Spent | undefined, names: string[]) =>
    names.reduce((total, name) => total + (spent?.[name] ?? NaN), 0)
  // Where the API runs workflows its CPU belongs to them; otherwise it is no part of the comparison, which has no API.
  const ofProof = apiSigns ? ['temporal', 'worker', 'api'] : ['temporal', 'worker']
  return [
    figure(`CPU of ${ofProof.join(', ')} with nothing to do, a second (signed ${way})`, 'ms', [
      sum(idle, ofProof) * 1000,
    ]),
    ...paces.flatMap((pace, index) => {
      const of = (kind: 'noop' | 'proof', names: string[]) =>
        rounds.map((measured) => sum(measured[index]?.[kind], names))
      const noop = { name: 'no-op workflow', rounds: of('noop', ['temporal', 'noopWorker']) }
      const server = { name: 'the server’s for a no-op workflow', rounds: of('noop', ['temporal']) }
      const at = `${pace.name}, signed ${way}`
      return [
        figure(`CPU of a no-op workflow, ${at}`, 'ms', noop.rounds),
        figure(`CPU of a proof (${ofProof.join(', ')}), ${at}`, 'ms', of('proof', ofProof), {
          against: noop,
          atMost: 3,
        }),
        figure(`… of it the Temporal server, ${at}`, 'ms', of('proof', ['temporal']), { against: server }),
        figure(`… of it the worker, ${at}`, 'ms', of('proof', ['worker']), { against: noop }),
        figure(`CPU of the API for a proof, ${at}`, 'ms', of('proof', ['api']), { against: noop }),
      ]
    }),
  ]
}

async function perMs(pids: Pids, work: () => Promise<unknown>): Promise<Spent> {
  const read = () => Object.entries(pids).map(([name, pid]) => [name, cpuMs(pid)] as const)
  const [before, start] = [Object.fromEntries(read()), performance.now()]
  await work()
  const taken = performance.now() - start
  return Object.fromEntries(read().map(([name, now]) => [name, (now - (before[name] ?? 0)) / taken]))
}

async function perOperation(
  pids: Pids,
  idle: Spent,
  atOnce: number,
  operations: number,
  work: (index: number) => Promise<void>,
): Promise<Spent> {
  let next = 0
  let taken = 0
  const used = await perMs(pids, async () => {
    const start = performance.now()
    const lane = async () => {
      for (let index = next++; index < operations; index = next++) await work(index)
    }
    await Promise.all(Array.from({ length: atOnce }, lane))
    taken = performance.now() - start
  })
  return Object.fromEntries(
    Object.entries(used).map(([name, rate]) => [name, ((rate - (idle[name] ?? 0)) * taken) / operations]),
  )
}
