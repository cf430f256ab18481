import { Connection } from '@temporalio/client'
import { taskQueues } from '@perigee/core/workflow'
import { waitUntil } from '../../dev/stack/processes/waitUntil.js'
import { notMeasured, type Figure } from '../Figure.js'
import type { BenchStack } from '../stack/openStack.js'
import { startApiBeside, type ApiBeside } from '../stack/startBeside.js'

/** How the API has signatures made. */
export interface Way {
  /** Joins the name of a row. */
  name: string
  env: Record<string, string>
  /** Then its CPU belongs to the workflows. */
  apiSigns: boolean
  /** p50 of a signature against a workflow that does nothing, at most: one that goes through the queues waits for them too. */
  atMost: number
}

/** Both are measured one after the other, each in turn with the workflow that does nothing. */
export const ways: readonly Way[] = [
  { name: 'by the worker', env: {}, apiSigns: false, atMost: 1.5 },
  { name: 'in the API’s process', env: { SIGN_IN_PROCESS: 'true' }, apiSigns: true, atMost: 1 },
]

/**
 * The figures of an API that goes this way. Only one at a time: one that signs by itself would also serve the others'
 * queue. One that is told to sign and does not is not measured, or the rows would say what is not so.
 */
export async function withWay(
  stack: BenchStack,
  way: Way,
  measure: (api: ApiBeside) => Promise<Figure[]>,
): Promise<Figure[]> {
  const api = await startApiBeside(stack, way.env)
  try {
    if (way.apiSigns && !(await polls(stack, api.pid))) {
      return [notMeasured(`signed ${way.name}`, 'ms', 'this API does not sign in its own process')]
    }
    return await measure(api)
  } finally {
    await api.close()
  }
}

/** Whether Temporal sees this process ask for signatures to make. */
async function polls({ file }: BenchStack, pid: number): Promise<boolean> {
  const connection = await Connection.connect({ address: file.temporalAddress })
  const seen = async () => {
    const { pollers } = await connection.workflowService.describeTaskQueue({
      ...{ namespace: file.namespace, taskQueue: { name: taskQueues.sign } },
      taskQueueType: 1, // workflow tasks
    })
    return (pollers ?? []).some(({ identity }) => identity?.startsWith(`${pid}@`))
  }
  try {
    await waitUntil('its first poll', seen, { timeoutMs: 5_000, everyMs: 250 })
    return true
  } catch {
    return false
  } finally {
    await connection.close()
  }
}
