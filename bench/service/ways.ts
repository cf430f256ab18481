import { Connection } from '@temporalio/client'
import { taskQueues } from '@perigee/core/workflow'
import { waitUntil } from '../../dev/stack/processes/waitUntil.js'
import type { BenchStack } from '../stack/openStack.js'
import { startApiBeside, type ApiBeside } from '../stack/startBeside.js'

/** How the API has signatures made. */
export interface Way {
  /** Joins the name of a row. */
  name: string
  env: Record<string, string>
  /** Then its CPU belongs to the workflows, and it must be seen to ask for them. */
  apiSigns: boolean
}

/** Both are measured one after the other, each in turn with the workflow that does nothing. */
export const ways: readonly Way[] = [
  { name: 'by the worker', env: {}, apiSigns: false },
  { name: 'in the API’s process', env: { SIGN_IN_PROCESS: 'true' }, apiSigns: true },
]

/** An API that goes this way. Only one at a time: one that signs by itself would also serve the others' queue. */
export async function withWay<T>(stack: BenchStack, way: Way, use: (api: ApiBeside) => Promise<T>): Promise<T> {
  const api = await startApiBeside(stack, way.env)
  try {
    if (way.apiSigns) await requirePoller(stack, api.pid)
    return await use(api)
  } finally {
    await api.close()
  }
}

/** Or the rows would say what was not measured. */
async function requirePoller({ file }: BenchStack, pid: number): Promise<void> {
  const connection = await Connection.connect({ address: file.temporalAddress })
  const polls = async () => {
    const { pollers } = await connection.workflowService.describeTaskQueue({
      ...{ namespace: file.namespace, taskQueue: { name: taskQueues.sign } },
      taskQueueType: 1, // workflow tasks
    })
    return (pollers ?? []).some(({ identity }) => identity?.startsWith(`${pid}@`))
  }
  try {
    await waitUntil('an API that signs in its own process', polls, { timeoutMs: 10_000, everyMs: 250 })
  } finally {
    await connection.close()
  }
}
