import { createRandom } from '../../../tests/createRandom.js'
import { createFlooder } from './createFlooder.js'
import { createHolder } from './createHolder.js'
import { createReplayer } from './createReplayer.js'
import { createSigner } from './createSigner.js'
import type { HostilePlan, HostileReport } from './Plan.js'
import { readOperations } from './readOperations.js'

// All hostile users, in a process of their own so that they do not delay the clock of the one that measures. It is told
// its plan, then `start` and `stop` as often as wanted, and answers each `stop` with everything it saw. It ends with the
// process that started it, or when its time is over.
export type Order = { plan: HostilePlan; seed: number } | 'start' | 'stop'

/** Requests that are under way when it stops still count. */
const lastAnswersMs = 1_000

let users: Awaited<ReturnType<typeof create>> | undefined

async function create(plan: HostilePlan, seed: number) {
  const description = await fetch(`${plan.apiUrls[0]}/openapi.json`)
  const operations = readOperations(await description.text())
  const random = createRandom(seed)
  const flooders = plan.flooders.map((account) => createFlooder(account, operations, plan, random))
  const signers = plan.signers.map((account) => createSigner(account, plan))
  const holder = createHolder(plan.holder, plan)
  const replayer = createReplayer(plan.replayer, plan)
  const all = [...flooders, ...signers, holder, replayer]
  return {
    start: () => all.forEach((one) => one.start()),
    stop: () => all.forEach((one) => one.stop()),
    report: (): HostileReport => ({
      tallies: all.map(({ client }) => client.tally),
      refusals: all.flatMap(({ client }) => client.refusals()),
      replays: replayer.outcomes(),
      operations: operations.map(({ id }) => id),
      streams: holder.streams(),
      acknowledged: signers.flatMap(({ acknowledged }) => acknowledged),
    }),
  }
}

process.once('disconnect', () => process.exit(0))
process.on('message', (order) => void obey(order as Order))

async function obey(order: Order): Promise<void> {
  if (order === 'start') return users?.start()
  if (order === 'stop') {
    users?.stop()
    return void setTimeout(() => process.send?.(users?.report()), lastAnswersMs)
  }
  setTimeout(() => process.exit(1), order.plan.endsAfterMs).unref()
  users = await create(order.plan, order.seed)
  process.send?.('ready')
}
