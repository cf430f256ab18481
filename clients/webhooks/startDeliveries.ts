import type { Logger } from 'pino'
import type { DataSource } from 'typeorm'
import { countUndelivered, findUnchecked, markChecked, type WebhookDelivery } from '../../database/index.js'
import { inParallel } from '../concurrency/inParallel.js'
import type { WebhookMeter } from './createWebhookMeter.js'

export interface StartDeliveriesInput {
  database: DataSource
  /** Starts the workflow of a delivery unless it runs. */
  start: (delivery: Pick<WebhookDelivery, 'eventId' | 'application' | 'type'>) => Promise<void>
  meter: WebhookMeter
  /** Applications whose metrics are reported when they have no deliveries, too. */
  names: readonly string[]
  log: Logger
  everyMs?: number
  /** A delivery whose workflow is older than this is looked at again: it may have been terminated, or lost in a restore. */
  lookAgainSeconds?: number
}

const page = 100
const atOnce = 10
const countEveryMs = 15_000

/**
 * Gives every pending delivery a workflow: new ones within a second, and those whose workflow is gone within minutes. Any number
 * of processes may do this at once, because a delivery has one workflow id. Stopping it loses nothing: the table remembers.
 */
export function startDeliveries(input: StartDeliveriesInput) {
  const { database, start, meter, names, log, everyMs = 1000, lookAgainSeconds = 300 } = input
  let stopped = false
  let counted = 0

  async function round(): Promise<void> {
    for (let isMore = true; isMore && !stopped;) {
      const deliveries = await findUnchecked(database, lookAgainSeconds, page)
      await inParallel(atOnce, deliveries, async (delivery) => {
        await start(delivery)
        await markChecked(database, delivery) // afterwards: what dies in between is started again, which changes nothing
      })
      isMore = deliveries.length === page
    }
    if (Date.now() - counted >= countEveryMs) await count()
  }

  async function count(): Promise<void> {
    const found = new Map((await countUndelivered(database)).map((counts) => [counts.application, counts]))
    const none = { waiting: 0, oldest: 0, dead: 0 }
    for (const name of new Set([...names, ...found.keys()])) meter.undelivered(name, found.get(name) ?? none)
    counted = Date.now()
  }

  async function run(): Promise<void> {
    while (!stopped) {
      let pauseMs = everyMs
      await round().catch((error: unknown) => {
        log.warn({ err: error }, 'webhook deliveries could not be started')
        pauseMs = everyMs * 10 // Postgres or Temporal is away
      })
      await new Promise<void>((resolve) => {
        wake = resolve
        timer = setTimeout(resolve, pauseMs)
      })
    }
  }
  let wake = (): void => undefined
  let timer: NodeJS.Timeout | undefined
  const running = run()

  return {
    async stop(): Promise<void> {
      stopped = true
      clearTimeout(timer)
      wake()
      await running
    },
  }
}
