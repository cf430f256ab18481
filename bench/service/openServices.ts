import { setTimeout as sleep } from 'node:timers/promises'
import type { DataSource } from 'typeorm'
import { startAnvil } from '../../tests/rigs/servers/startAnvil.js'
import { openShape, type Shape } from '../shape/openShape.js'
import { openBeside } from '../stack/openBeside.js'
import { openPerson, type Person } from '../stack/openPerson.js'
import type { BenchStack } from '../stack/openStack.js'
import { counted } from '../measure/counted.js'
import { inLanes } from '../measure/timing.js'

/** As production is configured by default. */
const slow = { blockSeconds: 2, confirmations: 3, unsentAfterSeconds: 900 }
/**
 * A worker lives for days, so the CPU it spends on compiling its code in its first minutes belongs to no proof: about
 * 18 ms a proof in the first 500, 6 ms in the next hundred.
 */
const warmUp = { signatures: 500, atOnce: 8 }

/** The service on one chain. */
export interface BenchService {
  /** Joins the name of a row. */
  chain: string
  /** Null: a block as soon as there is a transaction. */
  blockSeconds: number | null
  pids: { temporal: number; worker: number; api: number }
  newPeople(count: number): Promise<Person[]>
  /** Until every proof is published, so that the next measurement does not run against the rest of this one. */
  whenQuiet(): Promise<void>
}

export interface Services {
  /** Fast chain, then production's. */
  services: BenchService[]
  shape: Shape
}

const opened = new WeakMap<BenchStack, Promise<Services>>()

/** The yardstick and the service on both chains, warm. Opened once for all parts. */
export function openServices(stack: BenchStack): Promise<Services> {
  const services = opened.get(stack) ?? open(stack)
  opened.set(stack, services)
  return services
}

async function open(stack: BenchStack): Promise<Services> {
  const shape = await openShape(stack)
  stack.beforeClose(shape.close)
  const services = [await onFastChain(stack), await onProductionChain(stack)]
  await inLanes(warmUp.atOnce, counted(warmUp.signatures), async () => shape.whenComplete(await shape.sign()))
  return { services, shape }
}

async function onFastChain(stack: BenchStack): Promise<BenchService> {
  const { apiUrl, processes } = stack.file
  const { temporal = 0, worker = 0, api = 0 } = processes
  const { database } = stack
  const service = {
    chain: 'fast chain',
    blockSeconds: null,
    pids: { temporal, worker, api },
    newPeople: (count: number) => people(count, () => openPerson(stack, { url: apiUrl, database })),
    whenQuiet: () => whenQuiet(database),
  }
  await warm(service)
  return service
}

async function onProductionChain(stack: BenchStack): Promise<BenchService> {
  const anvil = await startAnvil()
  stack.beforeClose(anvil.close)
  const { database, url, pids, close } = await openBeside(stack, {
    chain: anvil.testChain,
    env: {
      CHAIN_CONFIRMATIONS: String(slow.confirmations),
      PUBLISH_UNSENT_AFTER: String(slow.unsentAfterSeconds),
    },
  })
  stack.beforeClose(close)
  const service = {
    chain: `${slow.blockSeconds} s blocks, ${slow.confirmations} confirmations`,
    blockSeconds: slow.blockSeconds,
    pids: { temporal: stack.file.processes['temporal'] ?? 0, ...pids },
    newPeople: (count: number) => people(count, () => openPerson(stack, { url, database, rpcUrl: anvil.rpcUrl })),
    whenQuiet: () => whenQuiet(database),
  }
  const stopMining = anvil.keepMining(100)
  await warm(service)
  await stopMining()
  await anvil.client.setAutomine(false)
  await anvil.client.setIntervalMining({ interval: slow.blockSeconds })
  return service
}

async function warm(service: BenchService): Promise<void> {
  const signers = await service.newPeople(warmUp.atOnce)
  await inLanes(warmUp.atOnce, counted(warmUp.signatures), async (index) => {
    const person = signers[index % signers.length] as Person
    await person.whenComplete(await person.sign())
  })
  await service.whenQuiet()
}

async function people(count: number, open: () => Promise<Person>): Promise<Person[]> {
  const opened: Person[] = []
  while (opened.length < count) opened.push(await open())
  return opened
}

async function whenQuiet(database: DataSource): Promise<void> {
  const unfinished = `SELECT 1 FROM publications WHERE status <> 'complete' LIMIT 1`
  while ((await database.query<unknown[]>(unfinished)).length > 0) await sleep(100)
}
