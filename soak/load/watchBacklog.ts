import type { StackFile } from '../../dev/stack/stackFile.js'
import { repeatEvery } from '../../clients/concurrency/repeatEvery.js'
import { countProofs } from '../phases/waitForQuiet.js'

const everyMs = 3_000
/** Some 100 wait for their blocks at any time; more than this, and the machine cannot keep up. */
const most = 400

/**
 * Says when the users should hold back: when more proofs wait than a slow machine publishes within minutes. A backlog that grows for half an
 * hour ends in `onchain_failed`, which would show that the machine is slow, not that the service is at fault.
 */
export function watchBacklog(stack: StackFile) {
  let waiting = 0
  const watch = repeatEvery(
    everyMs,
    async () => void (waiting = (await countProofs(stack)).unfinished),
    () => undefined, // Postgres may have been killed: the last count stands
  )
  return { isFull: () => waiting > most, stop: () => watch.stop() }
}
