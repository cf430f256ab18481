import { randomBytes, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Client } from '@temporalio/client'
import { EnvReader } from '@perigee/core/config'
import { taskQueues } from '@perigee/core/workflow'
import { newTransaction } from '../../enclave/testing/createTestWorld.js'
import { createDataConverter, parseTemporalConfig, temporalClientOn } from '../../temporal/index.js'
import { uncheckedRequest } from '../../tests/rigs/uncheckedRequest.js'
import { freshNamespace } from '../../tests/harness/index.js'
import { workerNodeFlags } from '../../workers/nodeFlags.js'
import { bundleWorkflows } from '../../temporal/bundle/workflowBundle.js'
import { connectTemporal } from '../../dev/stack/stackTemporal.js'
import { startBeside } from '../../dev/stack/programs/startBeside.js'
import type { BenchStack } from '../stack/openStack.js'

/**
 * The yardstick: the service's workflows with nothing in their activities, and a workflow that does nothing at all, on
 * the stack's Temporal server, with the stack's payload encryption and the service's worker settings. `work` gives its steps
 * something to do (`bench/floor`).
 */
export async function openShape(stack: BenchStack, work: Record<string, string> = {}) {
  const namespace = await freshNamespace()
  const dir = await mkdtemp(join(tmpdir(), 'perigee-shape-'))
  const bundle = join(dir, 'workflows.cjs') // bundled here: in the worker it would count as the worker's memory
  await writeFile(bundle, (await bundleWorkflows([], workflowsPath)).code)
  const env = { TEMPORAL_NAMESPACE: namespace, SHAPE_BUNDLE: bundle, ...work }
  const { child, pid, close } = await startBeside(stack, 'bench/shape/shapeWorker.ts', env, workerNodeFlags)
  const [connection] = await Promise.all([connectTemporal(stack.file), once(child, 'message')])
  const { codecKeys } = parseTemporalConfig(new EnvReader(stack.env))
  const temporal = temporalClientOn(connection, { namespace, codecKeys })
  const client = new Client({ connection, namespace, dataConverter: createDataConverter(codecKeys) })
  const published = new Set<string>()
  const waiting = new Map<string, () => void>()
  child.on('message', (slug: string) => {
    published.add(slug)
    waiting.get(slug)?.()
  })

  return {
    pid,
    namespace,
    newRequest,

    /** From start to result of a workflow that does nothing. */
    async noop(): Promise<void> {
      const workflowId = `noop/${randomUUID()}`
      await client.workflow.execute('noop', { workflowId, taskQueue: taskQueues.sign, args: [] })
    },

    /** From start to answer, asked for exactly as the API asks for a signature. Returns the slug of the publication. */
    async sign(): Promise<string> {
      return (await temporal.signDigest(newRequest())).slug
    },

    /** Heard from the worker itself: asking Temporal would cost its server CPU. */
    async whenComplete(slug: string): Promise<void> {
      if (!published.has(slug)) await new Promise<void>((resolve) => waiting.set(slug, resolve))
      published.delete(slug)
      waiting.delete(slug)
    },

    async close(): Promise<void> {
      await close()
      await connection.close()
      await rm(dir, { recursive: true, force: true })
    },
  }
}

function newRequest() {
  const digest = `0x${randomBytes(32).toString('hex')}` as const
  return { walletId: randomUUID(), digest, transaction: newTransaction(), ...uncheckedRequest() }
}

export type Shape = Awaited<ReturnType<typeof openShape>>

const workflowsPath = fileURLToPath(new URL('./shapeWorkflows.ts', import.meta.url))
