import { ServiceError } from '@perigee/core'
import type { OperatorRequest } from '@perigee/core/workflow'
import { appendAuditEvent, countUndelivered, findDead, replayDeliveries } from '../../database/index.js'
import type { OpsConfig } from '../config.js'
import { withDatabase } from '../connections.js'
import type { Outcome } from '../Outcome.js'

/** Further dead letters are only counted. */
const mostListed = 200

/** Lists events that were given up, and how many wait. */
export function listWebhooks(config: OpsConfig): Promise<Outcome> {
  return withDatabase(config, async (database) => {
    const counts = await countUndelivered(database)
    const dead = (await findDead(database, mostListed)).map(
      ({ eventId, application, type, occurredAt, errorCode, errorMessage }) => {
        return { eventId, application, type, occurredAt, errorCode, errorMessage }
      },
    )
    const lines = [
      ...dead.flatMap(({ eventId, application, type, occurredAt, errorCode, errorMessage }) => [
        `${eventId}  ${type} for ${application}, of ${occurredAt}`,
        `  ${errorCode}: ${errorMessage}`,
      ]),
      ...counts.map(({ application, waiting, dead: given, oldest }) => {
        const age = waiting > 0 ? `, the oldest for ${oldest} s` : ''
        return `${application}: ${given} dead, ${waiting} waiting${age}`
      }),
      dead.length === 0 ? 'no dead letters' : 'replay them with: npm run ops -- webhooks replay <event> | --all',
    ]
    return { lines, json: { dead, applications: counts }, exitCode: dead.length === 0 ? 0 : 1 }
  })
}

export interface ReplayWebhooks extends OperatorRequest {
  /** Null for every dead letter. An event that is named is sent again also if it was delivered. */
  eventId: string | null
  /** Null for all of them. */
  application: string | null
}

/** Sends events again, with the ids they had. The audit log has it before it happens. */
export function replayWebhooks(config: OpsConfig, request: ReplayWebhooks): Promise<Outcome> {
  const { eventId, application } = request
  return withDatabase(config, async (database) => {
    await appendAuditEvent(database, { kind: 'operator_webhooks_replayed', facts: { ...request } })
    const which = { ...(eventId && { eventId }), ...(application && { application }) }
    const replayed = await replayDeliveries(database, which, eventId ? ['dead', 'delivered'] : ['dead'])
    if (replayed === 0 && eventId) throw new ServiceError('not_found', 'no delivery of this event has ended')
    const lines = [`${replayed} replayed; a worker with WEBHOOKS_FILE sends them within seconds`]
    return { lines, json: { replayed }, exitCode: 0 }
  })
}
