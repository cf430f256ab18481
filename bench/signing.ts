import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { bundleWorkflowCode, DefaultLogger } from '@temporalio/worker'
import type { TestProject } from 'vitest/node'
import { transactionDigest } from '@perigee/core'
import { newTransaction } from '../enclave/testing/createTestWorld.js'
import { failureConverterPath } from '../temporal/index.js'
import setup from '../tests/harness/globalSetup.js'
import { provideComponents, type Components } from '../tests/harness/index.js'
import { startService, type TestService } from '../workers/testing/startService.js'
import { compare, measureInTurn, type BenchmarkRow } from './Benchmark.js'
import { timeSteps } from './timeSteps.js'

const operations = 60
const proofs = 40

/**
 * One signature, from the call to the answer, against a workflow that does nothing, on the same server and worker; and
 * the CPU of server, worker and enclave for a whole proof (signed, pinned, published) against that of the same workflow.
 * The API is not in it: it adds its own milliseconds to both.
 */
export async function signing(): Promise<BenchmarkRow[]> {
  let components: Components | undefined
  const stop = await setup({
    provide: (_name: string, value: Components) => (components = value),
  } as never as TestProject)
  try {
    if (!components) throw new Error('the components did not start')
    provideComponents(components)
    const workflowsPath = fileURLToPath(new URL('./signingWorkflows.ts', import.meta.url))
    const logger = new DefaultLogger('WARN')
    const steps = timeSteps()
    const service = await startService({
      change: steps.change,
      workflowBundle: await bundleWorkflowCode({ workflowsPath, failureConverterPath, logger }),
    })
    try {
      await service.startWorkers()
      return await measureSigning(service, steps.rows, pidOf(components.temporalAddress.split(':')[1] ?? ''))
    } finally {
      await service.close()
    }
  } finally {
    await stop()
  }
}

async function measureSigning(
  service: TestService,
  steps: () => BenchmarkRow[],
  temporalPid: number,
): Promise<BenchmarkRow[]> {
  const { walletId } = await service.temporal.provisionWallet(await service.newUser())
  const noop = (name: string) =>
    service.client.workflow.execute('noop', { workflowId: name, taskQueue: 'sign', args: [] })
  const sign = () => {
    const transaction = newTransaction()
    return service.temporal.signDigest({ walletId, transaction, digest: transactionDigest(transaction) })
  }
  const idle = () => new Promise((resolve) => setTimeout(resolve, 100)) // the proof before this one is published meanwhile
  const [bare, signature] = (await measureInTurn(operations, {
    'no-op workflow, execute': (i) => noop(`noop-${i}`),
    'sign a digest': async () => {
      const answer = await sign()
      void answer
    },
    idle,
  })) as [BenchmarkRow, BenchmarkRow]

  const [entropy, ...otherSteps] = steps()
  if (!entropy) throw new Error('nothing was signed')
  const breakdown = [{ ...entropy, atMostMs: 2 }, ...otherSteps]

  const noopCpu = await cpuPer('CPU of a no-op workflow', 2 * proofs, temporalPid, (i) => noop(`cpu-${i}`))
  const proofCpu = await cpuPer('CPU of a whole proof', proofs, temporalPid, async () => {
    await service.publicationOf((await sign()).slug)
  })
  return [bare, compare(signature, bare, 1 / 1.5), ...breakdown, noopCpu, compare(proofCpu, noopCpu, 1 / 3)]
}

/** CPU milliseconds of this process and the Temporal server for one operation, on average. */
async function cpuPer(
  name: string,
  count: number,
  pid: number,
  operation: (index: number) => Promise<unknown>,
): Promise<BenchmarkRow> {
  const before = process.cpuUsage()
  const serverBefore = cpuOf(pid)
  for (let i = 0; i < count; i++) await operation(i)
  const { user, system } = process.cpuUsage(before)
  const ms = ((user + system) / 1000 + cpuOf(pid) - serverBefore) / count
  return { name, p50Ms: ms, p95Ms: ms, operations: count }
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
