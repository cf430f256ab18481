import { transactionDigest } from '@perigee/core'
import { newTransaction } from '../enclave/testing/createTestWorld.js'
import { figure, median, share, type Figure } from './Figure.js'
import { withSigningRig, type SigningRig } from './signingRig.js'
import type { BenchStack } from './stack/openStack.js'
import { steps, type StepTimes } from './timeSteps.js'
import { inRounds, rest, timed } from './timing.js'
import { counted } from './counted.js'

const turns = 24
const cached = 300

interface Round {
  noop: number[]
  sign: number[]
  direct: number[]
  /** Inside the workflow, and without it. */
  signSteps: StepTimes
  directSteps: StepTimes
}

/**
 * One signature, from the call to the answer, against a workflow that does nothing, on the same server and worker; and
 * against the same steps in the same process and on the same database with no workflow at all. The API is not in it: it
 * adds its own milliseconds (`latency`).
 */
export function signing(stack: BenchStack): Promise<Figure[]> {
  return withSigningRig(measureSigning, stack)
}

async function measureSigning(rig: SigningRig): Promise<Figure[]> {
  const { service } = rig
  const { walletId } = await service.temporal.provisionWallet(await service.newUser())
  let noops = 0
  const noop = () =>
    service.client.workflow.execute('noop', { workflowId: `noop-${noops++}`, taskQueue: 'sign', args: [] })
  const input = () => {
    const transaction = newTransaction()
    return { walletId, transaction, digest: transactionDigest(transaction) }
  }

  async function round(count: number): Promise<Round> {
    const times = { noop: [] as number[], sign: [] as number[], direct: [] as number[] }
    const inside = { sign: [] as StepTimes[], direct: [] as StepTimes[] }
    await rig.steps()
    for (let turn = 0; turn < count; turn++) {
      await rest()
      times.noop.push(await timed(noop))
      await rest()
      times.sign.push(await timed(() => service.temporal.signDigest(input())))
      inside.sign.push(await rig.steps())
      times.direct.push(await rig.signDirectly({ ...input(), expiresAtMs: Date.now() + 60_000 }))
      inside.direct.push(await rig.steps())
      await rest() // the proof of this turn is published meanwhile
    }
    return { ...times, signSteps: merge(inside.sign), directSteps: merge(inside.direct) }
  }
  await round(counted(12))
  const rounds = await inRounds(3, () => round(counted(turns)))
  return [...wholes(rounds), ...breakdown(rounds), await memory(rig)]
}

function merge(list: readonly StepTimes[]): StepTimes {
  const of = (step: keyof StepTimes) => list.flatMap((times) => times[step])
  return Object.fromEntries([...steps, 'whole' as const].map((step) => [step, of(step)])) as StepTimes
}

function wholes(rounds: readonly Round[]): Figure[] {
  return [0.5, 0.95, 0.99].flatMap((part) => {
    const at = (kind: 'noop' | 'sign' | 'direct') => rounds.map((round) => share(round[kind], part))
    const p = `p${part * 100}`
    const noop = { name: `no-op workflow, ${p}`, rounds: at('noop') }
    const direct = { name: `the same steps without Temporal, ${p}`, rounds: at('direct') }
    return [
      figure(noop.name, 'ms', noop.rounds),
      figure(direct.name, 'ms', direct.rounds, { against: noop }),
      figure(`sign a digest, ${p}`, 'ms', at('sign'), { against: noop }), // judged where people meet it: `latency`
      figure(`sign a digest, ${p}, against the steps alone`, 'ms', at('sign'), { against: direct }),
    ]
  })
}

/** Where a signature's time goes: the medians of each step, and what is left to Temporal. */
function breakdown(rounds: readonly Round[]): Figure[] {
  const whole = { name: 'sign a digest, p50', rounds: rounds.map(({ sign }) => median(sign)) }
  const temporal = rounds.map(({ sign, signSteps }) => median(sign) - median(signSteps.whole))
  const noop = { name: 'no-op workflow, p50', rounds: rounds.map((round) => median(round.noop)) }
  return [
    ...steps.map((step) => {
      const inside = rounds.map(({ signSteps }) => median(signSteps[step]))
      const goal = step === 'fetchEntropy' ? { valueAtMost: 2 } : {}
      return figure(`… of it ${step}`, 'ms', inside, { against: whole, ...goal })
    }),
    figure('… of it Temporal', 'ms', temporal, { against: whole }),
    figure('Temporal’s part against the no-op workflow', 'ms', temporal, { against: noop }),
    ...steps.map((step) => {
      const inside = rounds.map(({ signSteps }) => median(signSteps[step]))
      const alone = rounds.map(({ directSteps }) => median(directSteps[step]))
      return figure(`${step} without Temporal`, 'ms', alone, { against: { name: 'in the workflow', rounds: inside } })
    }),
  ]
}

/**
 * The worker's memory while it keeps 300 publications that wait for an operator: those live longest. Their proofs do not
 * exist, so each of them fails and waits.
 */
async function memory({ service, worker }: SigningRig): Promise<Figure> {
  const input = { txHash: `0x${'00'.repeat(32)}`, wallet: `0x${'00'.repeat(20)}`, chainId: 1 }
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
