import { noopMetricMeter, type MetricMeter } from '@temporalio/common'

/** Metrics of webhooks, on the worker's Prometheus page beside Temporal's own. */
export function createWebhookMeter(meter: MetricMeter = noopMetricMeter) {
  const gauge = (name: string, description: string, unit?: string) =>
    meter.createGauge(`perigee_webhook_${name}`, 'int', unit, description)
  const waiting = gauge('waiting', 'Events that wait for their application to accept them')
  const oldest = gauge('oldest', 'Age of the oldest event that waits', 's')
  const dead = gauge('dead', 'Events that were given up and wait for an operator')
  const attempts = meter.createCounter('perigee_webhook_attempts', undefined, 'Attempts to deliver, by outcome')

  return {
    undelivered(application: string, counts: { waiting: number; oldest: number; dead: number }): void {
      waiting.set(counts.waiting, { application })
      oldest.set(counts.oldest, { application })
      dead.set(counts.dead, { application })
    },
    /** `outcome`: `delivered`, or the error's code. */
    attempted: (application: string, outcome: string): void => attempts.add(1, { application, outcome }),
  }
}

export type WebhookMeter = ReturnType<typeof createWebhookMeter>
