import { taskQueues } from '@perigee/core/workflow'
import { workerNodeFlags } from '../../../workers/nodeFlags.js'
import type { ServerAddresses } from '../servers.js'
import { connectTemporal } from '../stackTemporal.js'
import type { Component } from './Component.js'
import { createProgram } from './program.js'

/** Temporal's numbers for the two sides of a task queue: workflows and activities. A worker may serve one or both. */
const sides = [1, 2]

/** The worker. It serves no port: it is ready once Temporal sees this process poll each of its queues. */
export function createWorker(
  name: string,
  env: NodeJS.ProcessEnv,
  servers: ServerAddresses,
  flags: readonly string[] = [],
  entry = 'workers/main.ts',
): Component {
  const queues = Object.values(taskQueues).filter((queue) => queue !== 'webhooks' || env['WEBHOOKS_FILE'])
  const program = createProgram({
    name,
    entry,
    env,
    flags: [...workerNodeFlags, ...flags],
    async isReady(pid) {
      const connection = await connectTemporal(servers)
      try {
        // One queue after another: while the worker starts, the first answers for all of them.
        for (const name of queues) {
          const queue = { namespace: servers.namespace, taskQueue: { name } }
          const answers = sides.map((taskQueueType) =>
            connection.workflowService.describeTaskQueue({ ...queue, taskQueueType }),
          )
          const pollers = (await Promise.all(answers)).flatMap((answer) => answer.pollers ?? [])
          if (!pollers.some(({ identity }) => identity?.startsWith(`${pid}@`))) return false
        }
        return true
      } finally {
        await connection.close()
      }
    },
  })
  return {
    ...program,
    async prepare() {
      await program.prepare?.()
      // Bundled here, not in the worker: its heap is limited for its work, and bundling in it takes a minute.
      const { cachedBundle } = await import('../../../temporal/bundle/cachedBundle.js')
      await cachedBundle()
    },
  }
}
