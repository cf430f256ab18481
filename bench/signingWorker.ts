import { Client } from '@temporalio/client'
import { DefaultLogger, NativeConnection, Runtime } from '@temporalio/worker'
import { pino } from 'pino'
import type { SignDigestInput } from '@perigee/core/workflow'
import { connectionOptions, createDataConverter } from '../temporal/index.js'
import { parseConfig } from '../workers/config.js'
import { createActivities } from '../workers/createActivities.js'
import { createWorkers } from '../workers/createWorkers.js'
import { openDeps } from '../workers/openDeps.js'
import { timeSteps, type StepTimes } from './timeSteps.js'

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
const { deps } = await openDeps(config, log, client)
const created = createActivities(deps)
const { sign, signDirectly, take } = timeSteps(created.sign)
const activities = { ...created, sign }
const workers = await createWorkers({
  ...{ connection, temporal: config.temporal, activities, queues: config.queues, log },
  workflowBundle: { codePath: process.env.BENCH_BUNDLE ?? '' }, // made by the parent: bundling would stay in the memory
})
export interface WorkerUsage {
  cpuMs: number
  rssBytes: number
  cachedWorkflows: number
}
/** What the parent may ask. `sign`: the same steps as in the workflow, here and now, without Temporal. */
export type Asked = { kind: 'usage' } | { kind: 'steps' } | { kind: 'sign'; input: SignDigestInput }
export type Answer = WorkerUsage | StepTimes | { ms: number }

process.on('message', (asked: Asked) => void answer(asked).then((said) => process.send?.(said)))
process.on('disconnect', () => process.exit(0))
setTimeout(() => process.send?.('ready'), 200) // the pollers are out by then
await Promise.all(workers.map((worker) => worker.run()))

async function answer(asked: Asked): Promise<Answer> {
  switch (asked.kind) {
    case 'steps':
      return take()
    case 'sign': {
      const start = performance.now()
      await signDirectly(asked.input)
      return { ms: performance.now() - start }
    }
    case 'usage': {
      const { user, system } = process.cpuUsage()
      return {
        cpuMs: (user + system) / 1000,
        rssBytes: process.memoryUsage.rss(),
        cachedWorkflows: workers.reduce((sum, worker) => sum + worker.getStatus().numCachedWorkflows, 0),
      }
    }
  }
}
