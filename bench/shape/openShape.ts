import { fork } from 'node:child_process'
import { randomBytes, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Client, Connection, WithStartWorkflowOperation } from '@temporalio/client'
import { taskQueues, workflowIds, type SignDigestInput } from '@perigee/core/workflow'
import { buildProgram } from '../../dev/stack/buildProgram.js'
import { newTransaction } from '../../enclave/testing/createTestWorld.js'
import { uncheckedRequest } from '../../tests/rigs/uncheckedRequest.js'
import { createDataConverter, parseCodecKeys } from '../../temporal/index.js'
import { freshNamespace } from '../../tests/harness/index.js'
import { workerNodeFlags } from '../../workers/nodeFlags.js'
import { bundleWorkflows } from '../../temporal/bundle/workflowBundle.js'
import { endWithParent } from '../stack/startBeside.js'
import type { BenchStack } from '../stack/openStack.js'

/**
 * The yardstick: the service's workflows with nothing in their activities, and a workflow that does nothing at all, on
 * the stack's Temporal server, with the stack's payload encryption and the service's worker settings.
 */
export async function openShape(stack: BenchStack) {
  const { temporalAddress } = stack.file
  const namespace = await freshNamespace()
  const dir = await mkdtemp(join(tmpdir(), 'perigee-shape-'))
  const bundle = join(dir, 'workflows.cjs') // bundled here: in the worker it would count as the worker's memory
  await writeFile(bundle, (await bundleWorkflows([], workflowsPath)).code)
  const program = await buildProgram(new URL('./shapeWorker.ts', import.meta.url))
  const worker = fork(program, [temporalAddress, namespace, bundle], {
    env: { ...stack.env, NODE_OPTIONS: '' },
    execArgv: [...workerNodeFlags, '--import', endWithParent],
  })
  const [connection] = await Promise.all([Connection.connect({ address: temporalAddress }), once(worker, 'message')])
  const codecKeys = parseCodecKeys(stack.env['TEMPORAL_CODEC_KEYS'] ?? '', (problem) => {
    throw new Error(problem)
  })
  const client = new Client({ connection, namespace, dataConverter: createDataConverter(codecKeys) })
  const published = new Set<string>()
  const waiting = new Map<string, () => void>()
  worker.on('message', (slug: string) => {
    published.add(slug)
    waiting.get(slug)?.()
  })

  return {
    pid: worker.pid ?? 0,

    /** From start to result of a workflow that does nothing. */
    async noop(): Promise<void> {
      const workflowId = `noop/${randomUUID()}`
      await client.workflow.execute('noop', { workflowId, taskQueue: taskQueues.sign, args: [] })
    },

    /** From start to answer, asked for exactly as the API asks for a signature. Returns the slug of the publication. */
    async sign(): Promise<string> {
      const digest = `0x${randomBytes(32).toString('hex')}` as const
      const input: SignDigestInput = {
        walletId: randomUUID(),
        digest,
        transaction: newTransaction(),
        ...uncheckedRequest(),
      }
      const startWorkflowOperation = new WithStartWorkflowOperation('signShape', {
        workflowId: workflowIds.sign(input.walletId, digest),
        taskQueue: taskQueues.sign,
        args: [input],
        workflowIdConflictPolicy: 'USE_EXISTING',
        workflowIdReusePolicy: 'ALLOW_DUPLICATE',
        workflowTaskTimeout: '5s',
        staticSummary: `sign ${digest.slice(0, 18)}…`,
      })
      const answer = await client.workflow.executeUpdateWithStart('sign', {
        updateId: randomUUID(),
        startWorkflowOperation,
      })
      return (answer as { slug: string }).slug
    },

    /** Heard from the worker itself: asking Temporal would cost its server CPU. */
    async whenComplete(slug: string): Promise<void> {
      if (!published.has(slug)) await new Promise<void>((resolve) => waiting.set(slug, resolve))
      published.delete(slug)
      waiting.delete(slug)
    },

    async close(): Promise<void> {
      worker.kill('SIGTERM')
      await once(worker, 'exit')
      await connection.close()
      await rm(dir, { recursive: true, force: true })
    },
  }
}

export type Shape = Awaited<ReturnType<typeof openShape>>

const workflowsPath = fileURLToPath(new URL('./shapeWorkflows.ts', import.meta.url))
