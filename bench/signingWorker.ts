import { Client } from '@temporalio/client'
import { DefaultLogger, NativeConnection, Runtime } from '@temporalio/worker'
import { pino } from 'pino'
import { connectionOptions, createDataConverter, startPublishing } from '../temporal/index.js'
import { parseConfig } from '../workers/config.js'
import { createActivities } from '../workers/createActivities.js'
import { createWorkers } from '../workers/createWorkers.js'
import { openDeps } from '../workers/openDeps.js'
import { timeSteps } from './timeSteps.js'

/*
 * The worker as it is deployed, in a process of its own so that its CPU and memory can be told from others', with one
 * workflow more: the one that does nothing. Tells its parent when it is ready, and how it is doing when asked.
 */
Runtime.install({ logger: new DefaultLogger('ERROR') })
const config = parseConfig(process.env)
const connection = await NativeConnection.connect(connectionOptions(config.temporal))
const { namespace, codecKeys } = config.temporal
const client = new Client({ connection, namespace, dataConverter: createDataConverter(codecKeys) })
const log = pino({ level: 'silent' })
const { deps } = await openDeps(config, log, (input) => startPublishing(client, input))
const steps = timeSteps()
steps.change(deps)
const activities = createActivities(deps, config.queues)
const workers = await createWorkers({
  ...{ connection, temporal: config.temporal, activities, queues: config.queues, log },
  workflowBundle: { codePath: process.env.BENCH_BUNDLE ?? '' }, // made by the parent: bundling would stay in the memory
})
export interface WorkerUsage {
  cpuMs: number
  rssBytes: number
  cachedWorkflows: number
  steps: ReturnType<typeof steps.rows>
}
process.on('message', () => {
  const { user, system } = process.cpuUsage()
  const usage: WorkerUsage = {
    cpuMs: (user + system) / 1000,
    rssBytes: process.memoryUsage.rss(),
    cachedWorkflows: workers.reduce((sum, worker) => sum + worker.getStatus().numCachedWorkflows, 0),
    steps: steps.rows(),
  }
  process.send?.(usage)
})
process.on('disconnect', () => process.exit(0))
setTimeout(() => process.send?.('ready'), 200) // the pollers are out by then
await Promise.all(workers.map((worker) => worker.run()))
