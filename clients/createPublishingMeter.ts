import { noopMetricMeter, type MetricMeter } from '@temporalio/common'

/** The state of one publishing key. */
export interface PublisherState {
  sender: string
  /** The next nonce the chain expects. */
  nonce: number
  inFlight: number
  balanceWei: bigint
  balanceLow: boolean
  /** Wei spent per day, on average over the last week. */
  spentWeiPerDay: bigint
  /** How long the balance lasts at that rate; null when it spent nothing. */
  daysLeft: number | null
}

/** Metrics of publishing, on the worker's Prometheus page beside Temporal's own. */
export function createPublishingMeter(meter: MetricMeter = noopMetricMeter) {
  const gauge = (name: string, description: string, unit?: string) =>
    meter.createGauge(`perigee_${name}`, 'int', unit, description)
  const counter = (name: string, description: string) =>
    meter.createCounter(`perigee_publish_${name}`, undefined, description)
  const waiting = gauge('publish_waiting', 'Proofs by state that are not complete')
  const overdue = gauge('publish_overdue', 'Proofs that have been pending for more than an hour')
  const nonce = gauge('publish_nonce', 'Next nonce of a publishing key on the chain')
  const inFlight = gauge('publish_in_flight', 'Transactions of a publishing key that are signed and not mined')
  const balance = gauge('publish_balance_gwei', 'Balance of a publishing key', 'gwei')
  const balanceLow = gauge('publish_balance_low', '1 when the balance is below the minimum')
  const spent = gauge('publish_spent_gwei_per_day', 'What a publishing key spent a day, over the last week', 'gwei')
  const daysLeft = gauge(
    'publish_balance_days',
    'Days that the balance of a publishing key lasts at that rate, ten years at most',
  )
  const repairedAt = gauge('publish_repaired_at', 'When a part of the repairs was last completed, by any worker', 's')
  const pinsHeld = gauge('publish_pins_held', 'Blocks that a node was seen to hold')
  const bumps = counter('bumps', 'Transactions sent again with higher fees')
  const pins = counter('pins', 'Blocks pinned, by node and outcome')
  const reorged = counter('reorged', 'Proofs reopened because a reorg took their block')
  const contradictions = counter('contradictions', 'Times RPCs contradicted each other')
  const anchorAge = gauge('audit_anchor_age', 'Age of the first event of the audit log that no anchor vouches for', 's')
  const brokenText = '1 when the daily check found that the audit log does not continue from its last anchor'
  const logBroken = gauge('audit_log_broken', brokenText)
  const description = 'From the nonce to the configured depth'
  const confirmation = meter.createHistogram('perigee_publish_confirmation', 'int', 'ms', description)

  return {
    proofs(byStatus: Record<string, number>): void {
      for (const [status, count] of Object.entries(byStatus)) waiting.set(count, { status })
    },
    overdue: (count: number): void => overdue.set(count),
    publisher(state: PublisherState): void {
      const tags = { sender: state.sender }
      nonce.set(state.nonce, tags)
      inFlight.set(state.inFlight, tags)
      balance.set(Number(state.balanceWei / 1_000_000_000n), tags)
      balanceLow.set(state.balanceLow ? 1 : 0, tags)
      spent.set(Number(state.spentWeiPerDay / 1_000_000_000n), tags)
      daysLeft.set(Math.floor(Math.min(state.daysLeft ?? Infinity, 3650)), tags)
    },
    anchorAge: (seconds: number): void => anchorAge.set(Math.round(seconds)),
    logBroken: (isBroken: boolean): void => logBroken.set(isBroken ? 1 : 0),
    pinsHeld: (node: string, count: number): void => pinsHeld.set(count, { node }),
    bumped: (sender: string): void => bumps.add(1, { sender }),
    confirmed: (ms: number): void => confirmation.record(Math.max(0, Math.round(ms))),
    /** `outcome`: `held`, or the error's code. */
    pinned: (node: string, outcome: string): void => pins.add(1, { node, outcome }),
    reorged: (count: number): void => reorged.add(count),
    repairedAt: (part: string, at: Date): void => repairedAt.set(Math.floor(at.getTime() / 1000), { part }),
    contradicted: (): void => contradictions.add(1),
  }
}

export type PublishingMeter = ReturnType<typeof createPublishingMeter>
