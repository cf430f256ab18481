import type { Logger } from 'pino'
import type { DataSource } from 'typeorm'
import type { Hex } from '@perigee/core'
import {
  anchorAge,
  countInFlight,
  countOverdue,
  countPins,
  countUnfinished,
  isAuditLogBroken,
  spentSince,
} from '../../../database/index.js'
import { repeatEvery } from '../../concurrency/repeatEvery.js'
import type { PublisherState, PublishingMeter } from '../../createPublishingMeter.js'
import type { Chain } from '../createChain.js'

interface MonitorInput {
  database: DataSource
  chain: Chain
  publisher: { senders: readonly Hex[] }
  meter: PublishingMeter
  log: Logger
  minimumWei: bigint
  everyMs?: number
}

/** A proof takes minutes. `npm run ops -- stuck` lists those that are later than this. */
const overdueSeconds = 60 * 60

const spendingDays = 7

/** The state of one publishing key, from chain and database. */
export async function readPublisher(
  { database, chain, minimumWei }: Pick<MonitorInput, 'database' | 'chain' | 'minimumWei'>,
  sender: Hex,
): Promise<PublisherState> {
  const { chainId } = chain.config
  const [nonce, balanceWei] = await Promise.all([chain.minedCount(sender), chain.balance(sender)])
  const { count } = await countInFlight(database, chainId, sender, nonce)
  const lately = await spentSince(database, chainId, sender, new Date(Date.now() - spendingDays * 86_400_000))
  const spentWeiPerDay = lately / BigInt(spendingDays)
  const daysLeft = spentWeiPerDay === 0n ? null : Number(balanceWei / spentWeiPerDay)
  return { sender, nonce, inFlight: count, balanceWei, balanceLow: balanceWei < minimumWei, spentWeiPerDay, daysLeft }
}

/** Updates the metrics of keys, proofs, pins and the audit log every few seconds, and logs when a key runs low. */
export function monitorPublishers({ everyMs = 15_000, ...input }: MonitorInput) {
  const { database, publisher, meter, log } = input
  const low = new Set<string>()

  async function update(): Promise<void> {
    meter.proofs(await countUnfinished(database))
    meter.overdue(await countOverdue(database, overdueSeconds))
    meter.anchorAge(await anchorAge(database))
    meter.logBroken(await isAuditLogBroken(database))
    for (const [node, count] of Object.entries(await countPins(database))) meter.pinsHeld(node, count)
    for (const sender of publisher.senders) {
      const state = await readPublisher(input, sender)
      meter.publisher(state)
      const balanceWei = String(state.balanceWei)
      if (state.balanceLow && !low.has(sender)) log.warn({ sender, balanceWei }, 'the publishing key runs low: fund it')
      if (!state.balanceLow && low.has(sender)) log.info({ sender, balanceWei }, 'the publishing key is funded again')
      if (state.balanceLow) low.add(sender)
      else low.delete(sender)
    }
  }

  // Database or chain may be down: activities report that, and the gauges keep their last value.
  const repeated = repeatEvery(everyMs, update, (error) =>
    log.debug({ err: error }, 'the publishing metrics could not be updated'),
  )
  repeated.run()
  return repeated
}
