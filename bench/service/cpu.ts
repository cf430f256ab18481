import { figure, type Figure } from '../Figure.js'
import type { BenchService, Person } from './openService.js'
import { cpuMs } from './processes.js'

const operations = 64
const atOnce = 8

/**
 * CPU of the Temporal server and the worker for one whole proof (signed, pinned, published), against the same for a
 * workflow that does nothing; eight at once, as a service that is used. What both processes use with nothing to do is
 * measured in the same round and taken off.
 */
export async function cpu(service: BenchService, people: Person[]): Promise<Figure[]> {
  const { temporal = 0, worker = 0 } = service.file.processes
  const spent = { noop: [] as number[], proof: [] as number[], idle: [] as number[] }
  for (let round = 0; round < 3; round++) {
    await service.whenQuiet()
    const idlePerMs = await perMs([temporal, worker], () => new Promise((resolve) => setTimeout(resolve, 4_000)))
    const noopIdlePerMs = await perMs([temporal, service.noopWorkerPid], () => new Promise((r) => setTimeout(r, 2_000)))
    const noop = await perOperation([temporal, service.noopWorkerPid], noopIdlePerMs, () => service.noop())
    const proof = await perOperation([temporal, worker], idlePerMs, async (index) => {
      const person = people[index % people.length] as Person
      await person.whenTerminal(await person.sign())
    })
    spent.idle.push(idlePerMs * 1000)
    spent.noop.push(noop)
    spent.proof.push(proof)
  }
  const noop = { name: 'CPU of a no-op workflow', rounds: spent.noop }
  return [
    figure('CPU of Temporal and worker with nothing to do, a second', 'ms', spent.idle),
    figure(noop.name, 'ms', noop.rounds),
    figure('CPU of a whole proof', 'ms', spent.proof, { against: noop, atMost: 3 }),
  ]
}

async function perMs(pids: number[], work: () => Promise<unknown>): Promise<number> {
  const total = () => pids.reduce((sum, pid) => sum + cpuMs(pid), 0)
  const [before, start] = [total(), performance.now()]
  await work()
  return (total() - before) / (performance.now() - start)
}

async function perOperation(pids: number[], idlePerMs: number, work: (index: number) => Promise<void>) {
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
  return ((used - idlePerMs) * taken) / operations
}
