import { transactionDigest } from '@perigee/core'
import { newTransaction } from '../enclave/testing/createTestWorld.js'
import { compare, measureInTurn, type BenchmarkRow } from './Benchmark.js'
import { figure, type Figure } from './Figure.js'
import { withSigningRig, type SigningRig } from './signingRig.js'

const operations = 60
const proofs = 60
const cached = 300

/**
 * One signature, from the call to the answer, against a workflow that does nothing, on the same server and worker; and
 * the CPU of server and worker for a whole proof (signed, pinned, published) against that of the same workflow.
 * The API is not in it: it adds its own milliseconds to both.
 */
export function signing(): Promise<(BenchmarkRow | Figure)[]> {
  return withSigningRig(measureSigning)
}

async function measureSigning(rig: SigningRig): Promise<(BenchmarkRow | Figure)[]> {
  const { service } = rig
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
    'sign a digest': sign,
    idle,
  })) as [BenchmarkRow, BenchmarkRow]

  const [entropy, ...otherSteps] = (await rig.worker()).steps
  if (!entropy) throw new Error('nothing was signed')
  const breakdown = [{ ...entropy, atMostMs: 2 }, ...otherSteps]

  const noopCpu = await cpuPer('CPU of a no-op workflow', 2 * proofs, rig, (i) => noop(`cpu-${i}`))
  const proofCpu = await cpuPer('CPU of a whole proof', proofs, rig, async () => complete(rig, (await sign()).slug))
  return [
    ...[bare, compare(signature, bare, 1 / 1.5), ...breakdown, ...noopCpu, ...compareAll(proofCpu, noopCpu)],
    await memory(rig),
  ]
}

/** Waits for the record, as clients do; the workflow is not asked. */
async function complete({ service }: SigningRig, slug: string): Promise<void> {
  for (;;) {
    const [row] = await service.database.query('SELECT status FROM publications WHERE slug = $1', [slug])
    if (row?.status === 'complete') return
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}

/**
 * The worker's memory while it keeps 300 publications that wait for an operator: those live longest. They are about
 * proofs that do not exist, which is as good a failure as any.
 */
async function memory({ service, worker }: SigningRig): Promise<Figure> {
  const input = { txHash: `0x${'00'.repeat(32)}`, wallet: `0x${'00'.repeat(20)}`, chainId: 1, atOnce: true }
  for (let i = 0; i < cached; i++) {
    const args = [{ ...input, slug: `none-${i}` }]
    await service.client.workflow.start('publishReceipt', { workflowId: `none-${i}`, taskQueue: 'publish', args })
  }
  let usage = await worker()
  for (const until = Date.now() + 60_000; usage.cachedWorkflows < cached && Date.now() < until;) {
    await new Promise((resolve) => setTimeout(resolve, 500))
    usage = await worker()
  }
  const name = `memory of the worker with ${usage.cachedWorkflows} cached workflows`
  return figure(name, 'MB', [usage.rssBytes / 1024 / 1024], { atMost: 350 })
}

/** Of rows about server plus worker, server, and worker, only the first has a goal. */
function compareAll(rows: BenchmarkRow[], others: BenchmarkRow[]): BenchmarkRow[] {
  return rows.map((row, i) => compare(row, others[i] as BenchmarkRow, i === 0 ? 1 / 3 : undefined))
}

/** CPU milliseconds of the worker and the Temporal server for one operation, on average. */
async function cpuPer(
  name: string,
  count: number,
  rig: SigningRig,
  operation: (index: number) => Promise<unknown>,
): Promise<BenchmarkRow[]> {
  const before = await rig.cpu()
  for (let i = 0; i < count; i++) await operation(i)
  const after = await rig.cpu()
  const [server, worker] = [(after.server - before.server) / count, (after.worker - before.worker) / count]
  const row = (part: string, ms: number) => ({ name: `${name}${part}`, p50Ms: ms, p95Ms: ms, operations: count })
  return [row('', server + worker), row(': server', server), row(': worker', worker)]
}
