import { setTimeout as sleep } from 'node:timers/promises'
import { figure, type Figure } from '../Figure.js'
import type { Client } from '../stack/openPerson.js'
import type { BenchStack } from '../stack/openStack.js'
import { inRounds } from '../timing.js'
import { withService, type BenchService } from './openService.js'
import { cpuMs } from './processes.js'
import { ways, withWay, type Way } from './ways.js'
import { counted } from '../counted.js'

/**
 * How many at once. A round is so many blocks of no-op workflows and of proofs in turn: Temporal's server collects garbage
 * every few dozen workflows, and what that costs must not fall on one of the two by chance.
 */
const paces = [
  { name: 'one at a time', atOnce: 1, blocks: 4, proofs: 10, noops: 20 },
  { name: 'eight at once', atOnce: 8, blocks: 3, proofs: 20, noops: 40 },
]
/** The second way is there for its latency: one pace tells enough of its CPU. */
const pacesOf = ({ apiSigns }: Way) => (apiSigns ? paces.slice(0, 1) : paces)
/** What the server does for a workflow after its end belongs to its block. */
const wakeMs = 200
const idleMs = 6_000
/**
 * A worker lives for days: what it spends on compiling its code in its first minutes belongs to no proof. In its first 500
 * proofs it compiles for about 18 ms a proof, in the next hundred for 6. `throughput` has made some 400 before this. Where
 * the API signs, it is new, and has workflows to compile too.
 */
const warmUpOf = ({ apiSigns }: Way) => (apiSigns ? { noops: 50, proofs: 300 } : { noops: 300, proofs: 400 })

type Pids = Record<string, number>
/** CPU milliseconds by process. */
type Spent = Record<string, number>
type Taken = { taken: number; used: Spent }
type Pace = (typeof paces)[number]
type Work = (index: number) => Promise<void>
type Kinds = { noop: Work; proof: Work }

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
        return rowsOf(way, await measureWay(service, clients, pid, way))
      })
      figures.push(...measured)
    }
    return figures
  })
}

async function measureWay(service: BenchService, clients: Client[], api: number, way: Way) {
  const warmUp = warmUpOf(way)
  const { temporal = 0, worker = 0 } = service.processes
  const pids: Pids = { temporal, worker, api, noopWorker: service.noopWorkerPid }
  const noop = () => service.noop()
  const proof = async (index: number) => {
    const client = clients[index % clients.length] as Client
    await client.whenComplete(await client.sign())
  }
  const kinds = { noop, proof }
  await spentOn(pids, 8, counted(warmUp.noops), noop)
  await spentOn(pids, 8, counted(warmUp.proofs), proof)
  await service.whenQuiet()
  const idle = await perMs(pids, () => sleep(idleMs))
  const rounds = await inRounds(3, async () => {
    await service.whenQuiet()
    const measured: Record<keyof Kinds, Spent>[] = []
    for (const pace of pacesOf(way)) measured.push(await inTurn(pids, idle, pace, kinds))
    return measured
  })
  return { idle, rounds }
}

type Measured = Awaited<ReturnType<typeof measureWay>>

function rowsOf(way: Way, { idle, rounds }: Measured): Figure[] {
  const { name, apiSigns } = way
  const sum = (spent: Spent | undefined, names: string[]) =>
    names.reduce((total, name) => total + (spent?.[name] ?? NaN), 0)
  // Where the API runs workflows its CPU belongs to them; otherwise it is no part of the comparison, which has no API.
  const ofProof = apiSigns ? ['temporal', 'worker', 'api'] : ['temporal', 'worker']
  return [
    figure(`CPU of ${ofProof.join(', ')} with nothing to do, a second (signed ${name})`, 'ms', [
      sum(idle, ofProof) * 1000,
    ]),
    ...pacesOf(way).flatMap((pace, index) => {
      const of = (kind: 'noop' | 'proof', names: string[]) =>
        rounds.map((measured) => sum(measured[index]?.[kind], names))
      const noop = { name: 'no-op workflow', rounds: of('noop', ['temporal', 'noopWorker']) }
      const server = { name: 'the server’s for a no-op workflow', rounds: of('noop', ['temporal']) }
      const at = `${pace.name}, signed ${name}`
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

/** The CPU of one operation of each kind, the mean over all blocks. */
async function inTurn(pids: Pids, idle: Spent, pace: Pace, kinds: Kinds): Promise<Record<keyof Kinds, Spent>> {
  const spent = { noop: {} as Spent, proof: {} as Spent }
  const counts = { noop: counted(pace.noops), proof: counted(pace.proofs) }
  for (let block = 0; block < pace.blocks; block++) {
    for (const kind of ['noop', 'proof'] as const) {
      const { taken, used } = await spentOn(pids, pace.atOnce, counts[kind], kinds[kind])
      for (const [name, ms] of Object.entries(used)) {
        const one = (ms - (idle[name] ?? 0) * taken) / counts[kind] / pace.blocks
        spent[kind][name] = (spent[kind][name] ?? 0) + one
      }
    }
  }
  return spent
}

/** The CPU of so many operations and of their wake, and the time they took. */
async function spentOn(pids: Pids, atOnce: number, operations: number, work: Work): Promise<Taken> {
  let next = 0
  const lane = async () => {
    for (let index = next++; index < operations; index = next++) await work(index)
  }
  return spentDuring(pids, async () => {
    await Promise.all(Array.from({ length: atOnce }, lane))
    await sleep(wakeMs)
  })
}

async function spentDuring(pids: Pids, work: () => Promise<unknown>): Promise<Taken> {
  const read = () => Object.entries(pids).map(([name, pid]) => [name, cpuMs(pid)] as const)
  const [before, start] = [Object.fromEntries(read()), performance.now()]
  await work()
  const taken = performance.now() - start
  return { taken, used: Object.fromEntries(read().map(([name, now]) => [name, now - (before[name] ?? 0)])) }
}

async function perMs(pids: Pids, work: () => Promise<unknown>): Promise<Spent> {
  const { taken, used } = await spentDuring(pids, work)
  return Object.fromEntries(Object.entries(used).map(([name, ms]) => [name, ms / taken]))
}
