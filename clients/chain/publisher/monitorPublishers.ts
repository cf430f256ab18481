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
  lastRepairs,
  spentSince,
} from '../../../database/index.js'
import { repeatEvery } from '../../concurrency/repeatEvery.js'
import type { PublisherState, PublishingMeter } from '../../createPublishingMeter.js'
import type { Chain } from '../createChain.js'

interface MonitorInput {
  database: DataSource
  chain: Chain
  publisher: { senders: readonly Hex[]; heldBack: ReadonlySet<Hex> }
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

/**
 * Updates the metrics of keys, proofs, pins, repairs and the audit log every few seconds, and logs when a key runs low or is
 * held back.
 */
export function monitorPublishers({ everyMs = 15_000, ...input }: MonitorInput) {
  const { database, publisher, meter, log } = input
  const low = noticeChanges(log, 'the publishing key runs low: fund it', 'the publishing key is funded again')
  const heldBack = noticeChanges(
    log,
    'the publishing key gets no nonce: an RPC reports transactions of it that the records lack. It waits until they are mined or gone',
    'the publishing key gets nonces again',
  )

  async function update(): Promise<void> {
    meter.proofs(await countUnfinished(database))
    meter.overdue(await countOverdue(database, overdueSeconds))
    meter.anchorAge(await anchorAge(database))
    meter.logBroken(await isAuditLogBroken(database))
    for (const { part, completedAt } of await lastRepairs(database)) meter.repairedAt(part, completedAt)
    for (const [node, count] of Object.entries(await countPins(database))) meter.pinsHeld(node, count)
    for (const sender of publisher.senders) {
      heldBack(publisher.heldBack.has(sender), { sender })
      const state = await readPublisher(input, sender)
      meter.publisher(state)
      low(state.balanceLow, { sender, balanceWei: String(state.balanceWei) })
    }
  }

  // Database or chain may be down: activities report that, and the gauges keep their last value.
  const repeated = repeatEvery(everyMs, update, (error) =>
    log.debug({ err: error }, 'the publishing metrics could not be updated'),
  )
  repeated.run()
  return repeated
}

/** Logs for each key when something begins and when it ends, once. */
function noticeChanges(log: Pick<Logger, 'warn' | 'info'>, begins: string, ends: string) {
  const known = new Set<Hex>()
  return (holds: boolean, facts: { sender: Hex; balanceWei?: string }): void => {
    if (holds === known.has(facts.sender)) return
    if (holds) known.add(facts.sender)
    else known.delete(facts.sender)
    log[holds ? 'warn' : 'info'](facts, holds ? begins : ends)
  }
}
