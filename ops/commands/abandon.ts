import { ServiceError } from '@perigee/core'
import { appendAuditEvent, loadProofRecord } from '../../database/index.js'
import type { OpsConfig } from '../config.js'
import { withDatabase, withTemporal } from '../openOps.js'
import type { Outcome } from '../run.js'

/** Gives a failed proof up. It keeps its failed state, and the sweep leaves it alone. */
export function abandon(
  config: OpsConfig,
  { slug, operator, reason }: { slug: string; operator: string; reason: string },
): Promise<Outcome> {
  return withDatabase(config, (database) =>
    withTemporal(config, async ({ calls }) => {
      const record = await loadProofRecord(database, slug)
      if (!record) throw new ServiceError('proof_not_found', 'there is no such proof')
      const { status, abandonedAt } = record.publication
      if ((status !== 'pin_failed' && status !== 'onchain_failed') || abandonedAt !== null) {
        throw new ServiceError('invalid_request', 'only a proof that has failed, and is not given up, can be given up')
      }
      const facts = { slug, operator, reason, status }
      await appendAuditEvent(database, { at: new Date(), kind: 'operator_publish_abandoned', subject: null, facts })
      await calls.abandonPublish(slug, { operator, reason })
      return { lines: [`${slug}  given up`], json: { abandoned: slug }, exitCode: 0 }
    }),
  )
}
