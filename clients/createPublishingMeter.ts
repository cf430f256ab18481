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
    meter.createGauge(`perigee_publish_${name}`, 'int', unit, description)
  const counter = (name: string, description: string) =>
    meter.createCounter(`perigee_publish_${name}`, undefined, description)
  const waiting = gauge('waiting', 'Proofs by state that are not complete')
  const overdue = gauge('overdue', 'Proofs that are pending for more than an hour')
  const nonce = gauge('nonce', 'Next nonce of a publishing key on the chain')
  const inFlight = gauge('in_flight', 'Transactions of a publishing key that are signed and not mined')
  const balance = gauge('balance_gwei', 'Balance of a publishing key', 'gwei')
  const balanceLow = gauge('balance_low', '1 when the balance is below the minimum')
  const spent = gauge('spent_gwei_per_day', 'What a publishing key spent a day, over the last week', 'gwei')
  const daysLeft = gauge(
    'balance_days',
    'Days that the balance of a publishing key lasts at that rate, ten years at most',
  )
  const repairedAt = gauge('repaired_at', 'When this worker last completed a part of the repairs, or started', 's')
  const pinsHeld = gauge('pins_held', 'Blocks that a node was seen to hold')
  const bumps = counter('bumps', 'Transactions sent again with higher fees')
  const pins = counter('pins', 'Blocks pinned, by node and outcome')
  const reorged = counter('reorged', 'Proofs reopened because a reorg took their block')
  const contradictions = counter('contradictions', 'Times RPCs contradicted each other')
  const anchorAge = meter.createGauge(
    'perigee_audit_anchor_age',
    'int',
    's',
    'Age of the first event of the audit log that no anchor vouches for',
  )
  const logBroken = meter.createGauge(
    'perigee_audit_log_broken',
    'int',
    undefined,
    '1 when the daily check found that the audit log does not continue from its last anchor',
  )
  const description = 'From the nonce to the configured depth'
  const confirmation = meter.createHistogram('perigee_publish_confirmation', 'int', 'ms', description)

  /** `chain`: published blocks were looked for. `pins`: every IPFS node took the blocks it lacked. */
  const repaired = (part: 'chain' | 'pins'): void => repairedAt.set(Math.floor(Date.now() / 1000), { part })
  // So that an alert can tell "not for long" from "not yet".
  repaired('chain')
  repaired('pins')

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
    repaired,
    contradicted: (): void => contradictions.add(1),
  }
}

export type PublishingMeter = ReturnType<typeof createPublishingMeter>
