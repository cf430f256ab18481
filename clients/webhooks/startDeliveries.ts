import type { Logger } from 'pino'
import type { DataSource } from 'typeorm'
import {
  countUndelivered,
  findUnchecked,
  markChecked,
  renewApplications,
  type WebhookDelivery,
} from '../../database/index.js'
import { inParallel } from '../concurrency/inParallel.js'
import { repeatEvery } from '../concurrency/repeatEvery.js'
import type { WebhookMeter } from './createWebhookMeter.js'

type Delivery = Pick<WebhookDelivery, 'eventId' | 'application' | 'type'>

export interface StartDeliveriesInput {
  database: DataSource
  /** Starts the workflow of a delivery unless it runs. */
  start: (delivery: Delivery) => Promise<void>
  meter: WebhookMeter
  /** The applications in the file. */
  names: readonly string[]
  log: Logger
  everyMs?: number
}

const page = 100
const atOnce = 10
const reportEveryMs = 15_000
/** A delivery whose workflow is older than this is looked at again: it may have been terminated, or lost in a restore. */
const lookAgainSeconds = 300

/**
 * Gives every pending delivery a workflow: new ones within a second, and those whose workflow is gone within minutes. Any number
 * of processes may do this at once, because a delivery has one workflow id. Stopping it loses nothing: the table remembers.
 */
export function startDeliveries(input: StartDeliveriesInput) {
  const { database, start, meter, names, log, everyMs = 1000 } = input
  const measured = new Set(names)
  let reportedAt = 0
  let stopped = false

  async function round(): Promise<void> {
    if (Date.now() - reportedAt >= reportEveryMs) await report()
    for (let isMore = true; isMore && !stopped;) {
      const deliveries = await findUnchecked(database, lookAgainSeconds, page)
      await startEach(deliveries)
      isMore = deliveries.length === page
    }
  }

  /** Throws when none could be started: Temporal is away. One that fails alone is looked at again later, so it blocks no other. */
  async function startEach(deliveries: Delivery[]): Promise<void> {
    const failures: { delivery: Delivery; error: unknown }[] = []
    await inParallel(atOnce, deliveries, async (delivery) => {
      try {
        await start(delivery)
      } catch (error) {
        failures.push({ delivery, error })
        return
      }
      await markChecked(database, delivery) // afterwards: what dies in between is started again, which changes nothing
    })
    if (failures.length > 0 && failures.length === deliveries.length) throw failures[0]?.error
    for (const { delivery, error } of failures) {
      log.warn({ err: error, ...delivery }, 'a webhook delivery could not be started')
      await markChecked(database, delivery)
    }
  }

  /** Reports every application that had deliveries once, so that a count goes back to 0. */
  async function report(): Promise<void> {
    await renewApplications(database, names)
    const found = new Map((await countUndelivered(database)).map((counts) => [counts.application, counts]))
    for (const name of found.keys()) measured.add(name)
    const none = { waiting: 0, oldest: 0, dead: 0 }
    for (const name of measured) meter.undelivered(name, found.get(name) ?? none)
    reportedAt = Date.now()
  }

  const repeated = repeatEvery(everyMs, round, (error) =>
    log.warn({ err: error }, 'webhook deliveries could not be started'),
  )
  return {
    async stop(): Promise<void> {
      stopped = true
      await repeated.stop()
    },
  }
}
