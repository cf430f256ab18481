import { fork } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { rm, writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { bundleWorkflowCode, DefaultLogger } from '@temporalio/worker'
import type { TestProject } from 'vitest/node'
import type { EntropySupply } from '../activities/entropy/EntropySupply.js'
import { failureConverterPath } from '../temporal/index.js'
import setup from '../tests/harness/globalSetup.js'
import { provideComponents, type Components } from '../tests/harness/index.js'
import { buildProgram } from '../dev/stack/buildProgram.js'
import { startService, type TestService } from '../workers/testing/startService.js'
import type { WorkerUsage } from './signingWorker.js'

export interface SigningRig {
  service: TestService
  worker(): Promise<WorkerUsage>
  /** CPU milliseconds of the Temporal server and of the worker so far. */
  cpu(): Promise<{ server: number; worker: number }>
}

/**
 * Real components, the enclave and the caller in this process, and the worker in its own, so that what is counted as
 * the worker's is the worker's.
 */
export async function withSigningRig<T>(use: (rig: SigningRig) => Promise<T>): Promise<T> {
  let components: Components | undefined
  const stop = await setup({
    provide: (_name: string, value: Components) => (components = value),
  } as never as TestProject)
  const files: string[] = []
  try {
    if (!components) throw new Error('the components did not start')
    provideComponents(components)
    const service = await startService()
    await (service.deps.entropy as EntropySupply).stop() // the worker fetches ahead, not we
    const program = await buildProgram(new URL('./signingWorker.ts', import.meta.url))
    const bundle = `${program}.workflows.cjs`
    files.push(program, bundle)
    await writeFile(bundle, await bundleNoop())
    const child = fork(program, {
      env: { PATH: process.env.PATH ?? '', ...service.env, BENCH_BUNDLE: bundle },
      execArgv: process.env.BENCH_PROFILE ? ['--cpu-prof', `--cpu-prof-dir=${process.env.BENCH_PROFILE}`] : [],
    })
    const exited = once(child, 'exit')
    try {
      await Promise.race([once(child, 'message'), exited.then(() => Promise.reject(new Error('the worker ended')))])
      const worker = async () => {
        child.send('usage')
        const [usage] = (await once(child, 'message')) as [WorkerUsage]
        return usage
      }
      const pid = pidOf(components.temporalAddress.split(':')[1] ?? '')
      return await use({ service, worker, cpu: async () => ({ server: cpuOf(pid), worker: (await worker()).cpuMs }) })
    } finally {
      if (child.connected) child.disconnect()
      await exited
      await service.close()
    }
  } finally {
    await stop()
    for (const file of files) await rm(file, { force: true })
  }
}

async function bundleNoop(): Promise<string> {
  const { code } = await bundleWorkflowCode({
    workflowsPath: fileURLToPath(new URL('./signingWorkflows.ts', import.meta.url)),
    ...{ failureConverterPath, logger: new DefaultLogger('WARN') },
  })
  return code
}

/** utime and stime of a process (Linux counts them in hundredths of a second). */
function cpuOf(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? []
  return (Number(fields[11]) + Number(fields[12])) * 10
}

function pidOf(port: string): number {
  for (const name of readdirSync('/proc').filter((entry) => /^\d+$/.test(entry))) {
    try {
      const words = readFileSync(`/proc/${name}/cmdline`, 'utf8').split('\0')
      if (words.includes('start-dev') && words.includes(port)) return Number(name)
    } catch {
      // it has ended meanwhile
    }
  }
  throw new Error('the Temporal server was not found')
}
