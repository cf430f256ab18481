import { setTimeout as sleep } from 'node:timers/promises'
import { Client } from '@temporalio/client'
import { EnvReader } from '@perigee/core/config'
import { taskQueues, workflowIds, workflowTypes } from '@perigee/core/workflow'
import { freePort } from '../../dev/stack/processes/freePort.js'
import { createDataConverter, parseTemporalConfig } from '../../temporal/index.js'
import { figure, type Figure } from '../measure/Figure.js'
import { openBeside } from '../stack/openBeside.js'
import type { BenchStack } from '../stack/openStack.js'
import { connectTemporal } from '../../dev/stack/stackTemporal.js'
import { residentMb } from './processes.js'

const cached = 300
const patienceMs = 60_000

/**
 * Memory of a worker while its cache is full of publications that wait for an operator, which live longest. Their proofs
 * do not exist, so each of them fails and waits.
 */
export async function workerMemory(stack: BenchStack): Promise<Figure[]> {
  const metrics = `127.0.0.1:${await freePort()}`
  const beside = await openBeside(stack, { env: { WORKER_METRICS_ADDRESS: metrics } })
  const connection = await connectTemporal(stack.file)
  try {
    const dataConverter = createDataConverter(parseTemporalConfig(new EnvReader(stack.env)).codecKeys)
    const { workflow } = new Client({ connection, namespace: beside.namespace, dataConverter })
    for (let index = 0; index < cached; index++) {
      const slug = `none-${index}`
      await workflow.start(workflowTypes.publishReceipt, {
        workflowId: workflowIds.receipt(slug),
        taskQueue: taskQueues.publish,
        args: [{ slug, txHash: `0x${'00'.repeat(32)}`, wallet: `0x${'00'.repeat(20)}`, chainId: 1 }],
      })
    }
    let held = 0
    for (const until = Date.now() + patienceMs; held < cached && Date.now() < until; await sleep(500)) {
      held = await cachedWorkflows(metrics)
    }
    const name = `memory of the worker with ${held} cached workflows`
    return [figure(name, 'MB', [residentMb(beside.pids.worker)], { atMost: 350 })]
  } finally {
    await connection.close()
    await beside.close()
  }
}

/** Over the worker's queues, as it tells Prometheus. */
async function cachedWorkflows(address: string): Promise<number> {
  const text = await (await fetch(`http://${address}/metrics`)).text()
  const sizes = [...text.matchAll(/^temporal_sticky_cache_size\{.*\} (\d+)$/gm)]
  return sizes.reduce((sum, [, size]) => sum + Number(size), 0)
}
