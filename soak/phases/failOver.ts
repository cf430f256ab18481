import { setTimeout as sleep } from 'node:timers/promises'
import { waitUntil } from '../../dev/stack/processes/waitUntil.js'
import type { StackFile } from '../../dev/stack/stackFile.js'
import { signalFamily } from '../chaos/signalFamily.js'
import type { Timeline } from '../chaos/timeline.js'
import type { Driver } from '../load/createDriver.js'
import type { Link } from '../network/createLink.js'
import { startStandby } from './startStandby.js'

const rate = 2
const beforeMs = 5_000
const afterMs = 15_000
const signingWithinMs = 90_000

/**
 * Kills Postgres while clients sign, promotes its standby, and points every program there. The supervisor starts the old
 * one again, as a machine may come back; nothing is connected to it, and it cannot commit without its standby.
 */
export async function failOver(world: {
  dir: string
  /** Its database address is changed. */
  stack: StackFile
  links: readonly Link[]
  driver: Driver
  timeline: Timeline
}) {
  const { dir, stack, links, driver, timeline } = world
  const standby = await startStandby(dir, stack.databaseUrl)
  try {
    let over = false
    const loading = driver.run(Infinity, rate, { stopped: () => over })
    await sleep(beforeMs)
    const from = driver.attempts.length
    const killedAt = timeline.add({ kind: 'failover', target: 'postgres', detail: 'killed, standby promoted' }).at
    signalFamily(stack.processes['postgres'] ?? 0, 'SIGKILL')
    await standby.promote()
    const promotedMs = Date.now() - killedAt
    for (const link of links) link.retarget(standby.port)
    stack.databaseUrl = standby.url
    const signed = () => driver.attempts.slice(from).find(({ from: at, status }) => at >= killedAt && status === 200)
    await waitUntil('a signature', async () => signed() !== undefined, { timeoutMs: signingWithinMs }).catch(
      () => undefined,
    )
    await sleep(afterMs)
    over = true
    await loading
    await driver.whenAnswered(signingWithinMs)
    const first = signed()
    return { promotedMs, signingMs: first ? first.to - killedAt : null, close: standby.close }
  } catch (error) {
    await standby.close()
    throw error
  }
}
