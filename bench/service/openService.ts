import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { Client, Connection } from '@temporalio/client'
import { createTestClient, http } from 'viem'
import { openDatabase } from '../../database/index.js'
import type { BenchStack } from '../stack/openStack.js'
import { openPerson, type Person } from '../stack/openPerson.js'

/** The stack as people use it, and a worker for the workflow that does nothing. */
export async function openService(stack: BenchStack) {
  const { temporalAddress, namespace, rpcUrl, databaseUrl, apiUrl } = stack.file
  const noopWorker = fork(fileURLToPath(new URL('./noopWorker.ts', import.meta.url)), [temporalAddress, namespace])
  const [connection, database] = await Promise.all([
    Connection.connect({ address: temporalAddress }),
    openDatabase({ url: databaseUrl }),
    once(noopWorker, 'message'),
  ])
  const temporal = new Client({ connection, namespace })
  const chain = createTestClient({ mode: 'anvil', transport: http(rpcUrl) })

  return {
    ...{ database, chain, processes: stack.file.processes, noopWorkerPid: noopWorker.pid ?? 0 },

    /** Start to result of a workflow that does nothing. */
    async noop(): Promise<void> {
      const workflowId = `noop-${crypto.randomUUID()}`
      await temporal.workflow.execute('noop', { workflowId, taskQueue: 'noop', args: [] })
    },

    newPerson: () => openPerson(stack, { url: apiUrl, database }),
    async newPeople(count: number): Promise<Person[]> {
      const people: Person[] = []
      while (people.length < count) people.push(await openPerson(stack, { url: apiUrl, database }))
      return people
    },

    /** Until every proof is published: what is measured next is not measured against the wake of this. */
    async whenQuiet(): Promise<void> {
      for (;;) {
        const unfinished = `SELECT 1 FROM publications WHERE status <> 'complete' LIMIT 1`
        if ((await database.query<unknown[]>(unfinished)).length === 0) return
        await new Promise((resolve) => setTimeout(resolve, 100))
      }
    },

    async close(): Promise<void> {
      await Promise.all([database.destroy(), connection.close()])
      noopWorker.disconnect()
    },
  }
}

export type BenchService = Awaited<ReturnType<typeof openService>>

export async function withService<T>(stack: BenchStack, use: (service: BenchService) => Promise<T>): Promise<T> {
  const service = await openService(stack)
  try {
    return await use(service)
  } finally {
    await service.close()
  }
}
