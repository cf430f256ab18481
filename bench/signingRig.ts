import { fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { SignDigestInput } from '@perigee/core/workflow'
import type { EntropySupply } from '../clients/entropy/EntropySupply.js'
import { buildProgram } from '../dev/stack/buildProgram.js'
import { workerNodeFlags } from '../workers/nodeFlags.js'
import { startService, type TestService } from '../tests/rigs/startService.js'
import { bundleWorkflows } from '../workers/workflowBundle.js'
import { cpuMs } from './service/processes.js'
import type { Answer, Asked, WorkerUsage } from './signingWorker.js'
import { openStack, type BenchStack } from './stack/openStack.js'
import type { StepTimes } from './timeSteps.js'

export interface SigningRig {
  service: TestService
  /** Of the worker. */
  pid: number
  worker(): Promise<WorkerUsage>
  /** The steps of every signature since it was last asked. */
  steps(): Promise<StepTimes>
  /** The same steps in the worker's process, without Temporal. Milliseconds. */
  signDirectly(input: SignDigestInput): Promise<number>
  /** CPU milliseconds of the Temporal server and of the worker so far. */
  cpu(): Promise<{ server: number; worker: number }>
}

/**
 * The servers of a stack, the enclave and the caller in this process, and the worker in its own, so that what is counted
 * as the worker's is the worker's. Database and namespace are its own. Without a stack it starts one for itself.
 */
export async function withSigningRig<T>(use: (rig: SigningRig) => Promise<T>, given?: BenchStack): Promise<T> {
  const stack = given ?? (await openStack())
  const dir = await mkdtemp(join(tmpdir(), 'perigee-bench-worker-'))
  try {
    stack.provide()
    const service = await startService()
    try {
      await (service.deps.entropy as EntropySupply).stop() // the worker fetches ahead, not we
      return await withWorker(service, stack, join(dir, 'workflows.cjs'), use)
    } finally {
      await service.close()
    }
  } finally {
    await rm(dir, { recursive: true, force: true })
    if (!given) await stack.close()
  }
}

/** `BENCH_PROFILE=<folder>` leaves a CPU profile of each of the worker's threads there. */
const profileDir = process.env.BENCH_PROFILE
const profiling = profileDir ? ['--cpu-prof', `--cpu-prof-dir=${profileDir}`] : []

async function withWorker<T>(
  service: TestService,
  stack: BenchStack,
  bundle: string,
  use: (rig: SigningRig) => Promise<T>,
): Promise<T> {
  await writeFile(bundle, await bundleNoop())
  const child = fork(await buildProgram(new URL('./signingWorker.ts', import.meta.url)), {
    env: { PATH: process.env.PATH ?? '', ...service.env, BENCH_BUNDLE: bundle },
    execArgv: [...workerNodeFlags, ...profiling],
  })
  const exited = once(child, 'exit')
  const answered = async () => {
    const ended = exited.then(() => Promise.reject(new Error('the worker ended')))
    const [answer] = (await Promise.race([once(child, 'message'), ended])) as [Answer]
    return answer
  }
  const ask = <A extends Answer>(asked: Asked): Promise<A> => {
    const answer = answered()
    child.send(asked)
    return answer as Promise<A>
  }
  try {
    await answered() // it is ready
    const worker = () => ask<WorkerUsage>({ kind: 'usage' })
    const server = stack.file.processes['temporal'] ?? 0
    return await use({
      ...{ service, worker, pid: child.pid ?? 0 },
      steps: () => ask<StepTimes>({ kind: 'steps' }),
      signDirectly: async (input) => (await ask<{ ms: number }>({ kind: 'sign', input })).ms,
      cpu: async () => ({ server: cpuMs(server), worker: (await worker()).cpuMs }),
    })
  } finally {
    if (child.connected) child.disconnect()
    await exited
  }
}

async function bundleNoop(): Promise<string> {
  return (await bundleWorkflows([], fileURLToPath(new URL('./signingWorkflows.ts', import.meta.url)))).code
}
