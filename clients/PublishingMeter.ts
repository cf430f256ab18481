import { noopMetricMeter, type MetricMeter } from '@temporalio/common'

/** The state of one publishing key. */
export interface PublisherState {
  sender: string
  /** The next nonce the chain expects. */
  nonce: number
  inFlight: number
  balanceWei: bigint
  balanceLow: boolean
}

/** What operators watch of publishing. Prometheus reads it on the worker's own page, beside Temporal's metrics. */
export function createPublishingMeter(meter: MetricMeter = noopMetricMeter) {
  const gauge = (name: string, text: string, unit?: string) =>
    meter.createGauge(`perigee_publish_${name}`, 'int', unit, text)
  const waiting = gauge('waiting', 'Proofs by state that are not complete')
  const nonce = gauge('nonce', 'Next nonce of a publishing key on the chain')
  const inFlight = gauge('in_flight', 'Transactions of a publishing key that are signed and not mined')
  const balance = gauge('balance_gwei', 'Balance of a publishing key', 'gwei')
  const balanceLow = gauge('balance_low', '1 when the balance is below the minimum')
  const pinsHeld = gauge('pins_held', 'Blocks that a node was seen to hold')
  const bumps = meter.createCounter('perigee_publish_bumps', undefined, 'Transactions offered again with higher fees')
  const confirmation = meter.createHistogram(
    ...(['perigee_publish_confirmation', 'int', 'ms', 'From the nonce to the configured depth'] as const),
  )
  const pins = meter.createCounter('perigee_publish_pins', undefined, 'Blocks pinned, by node and outcome')
  const reorged = meter.createCounter(
    'perigee_publish_reorged',
    undefined,
    'Proofs reopened because a reorg took their block',
  )

  const disputes = meter.createCounter(
    'perigee_publish_contradictions',
    undefined,
    'Times RPCs contradicted each other',
  )

  return {
    proofs(byStatus: Record<string, number>): void {
      for (const [status, count] of Object.entries(byStatus)) waiting.set(count, { status })
    },
    publisher(state: PublisherState): void {
      const tags = { sender: state.sender }
      nonce.set(state.nonce, tags)
      inFlight.set(state.inFlight, tags)
      balance.set(Number(state.balanceWei / 1_000_000_000n), tags)
      balanceLow.set(state.balanceLow ? 1 : 0, tags)
    },
    pinsHeld: (node: string, count: number): void => pinsHeld.set(count, { node }),
    bumped: (sender: string): void => bumps.add(1, { sender }),
    confirmed: (ms: number): void => confirmation.record(Math.max(0, Math.round(ms))),
    /** `outcome`: `held`, or the code of what went wrong. */
    pinned: (node: string, outcome: string): void => pins.add(1, { node, outcome }),
    reorged: (count: number): void => reorged.add(count),
    contradicted: (): void => disputes.add(1),
  }
}

export type PublishingMeter = ReturnType<typeof createPublishingMeter>
