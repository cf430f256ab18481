import { waitUntil } from '../../dev/stack/processes/waitUntil.js'
import type { Timeline } from '../chaos/timeline.js'
import type { StackFile } from '../../dev/stack/stackFile.js'
import type { Driver } from '../load/createDriver.js'
import type { Link } from '../network/createLink.js'
import { countProofs } from './waitForQuiet.js'

const drainWithinMs = 300_000

/** Cuts the chain off until this many proofs wait for it, then measures how long they take to complete. */
export async function drainBacklog(
  count: number,
  world: { driver: Driver; chain: Link; stack: StackFile; timeline: Timeline },
) {
  const { driver, chain, stack, timeline } = world
  const unfinished = async () => (await countProofs(stack)).unfinished
  timeline.add({ kind: 'chain-away', target: 'worker-chain', detail: `until ${count} proofs wait` })
  chain.set('down')
  const from = Date.now()
  await driver.run(count, 1_000) // as fast as answers come
  await driver.whenAnswered(60_000)
  let waiting = await unfinished()
  while (waiting < count && Date.now() - from < drainWithinMs) {
    await driver.run(count - waiting, 1_000) // some may have been published just before
    await driver.whenAnswered(60_000)
    waiting = await unfinished()
  }
  const back = Date.now()
  timeline.add({ kind: 'chain-back', target: 'worker-chain', detail: `${waiting} proofs wait` })
  chain.set(null)
  const isDrained = async () => (await unfinished()) === 0
  const drained = await waitUntil('the drained backlog', isDrained, { timeoutMs: drainWithinMs, everyMs: 250 }).then(
    () => true,
    () => false,
  )
  return {
    waiting,
    /** How long the chain was away. */
    outageSeconds: Math.round((back - from) / 1000),
    /** From its return until the last proof was complete; null when time ran out first. */
    drainSeconds: drained ? Math.round((Date.now() - back) / 100) / 10 : null,
  }
}
