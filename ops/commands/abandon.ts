import { ServiceError } from '@perigee/core'
import type { OperatorRequest } from '@perigee/core/workflow'
import {
  appendAuditEvent,
  lastAuditEvent,
  loadProofRecord,
  markAbandoned,
  tryLockUntilCommit,
} from '../../database/index.js'
import type { OpsConfig } from '../config.js'
import { withDatabase, withTemporal } from '../connections.js'
import type { Outcome } from '../Outcome.js'
import { isFailed, openRunStatus } from './openRunStatus.js'

/**
 * Gives up a failed proof. It keeps its failed state, and repairProofs skips it. A proof that a restored database lost has
 * no record; its run, which still waits for a person, ends. A proof whose run is gone is given up in the record. The audit log
 * has what was done: a request that the run refuses is not in it. If this ends between the run's answer and the log, repeat it: an
 * abandonment that the log lacks is added, and says so. Of operators who do it at once one does, so none adds what another is about
 * to write.
 */
export function abandon(config: OpsConfig, slug: string, request: OperatorRequest): Promise<Outcome> {
  return withDatabase(config, (database) =>
    withTemporal(config, async (temporal) => {
      await database.transaction(async (manager) => {
        if (!(await tryLockUntilCommit(manager, `abandon/${slug}`))) {
          throw new ServiceError('invalid_request', 'another operator is abandoning this proof just now')
        }
        const record = await loadProofRecord(database, slug)
        const open = await openRunStatus(temporal, slug)
        const status = open ?? record?.publication.status
        if (!status) throw new ServiceError('proof_not_found', 'there is no such proof')
        const isAbandoned = open === null && Boolean(record?.publication.abandonedAt)
        const kinds = ['operator_publish_abandoned', 'operator_publish_retried'] as const
        const isLogged = isAbandoned && (await lastAuditEvent(manager, kinds, { slug })) === kinds[0]
        if (!isFailed(status) || isLogged) {
          throw new ServiceError('invalid_request', 'only a failed proof that is not yet abandoned can be abandoned')
        }
        if (open) await temporal.abandonPublish(slug, request)
        else if (!isAbandoned) await markAbandoned(manager, slug)
        const facts = { slug, ...request, status, ...(isAbandoned && { alreadyAbandoned: true }) }
        await appendAuditEvent(manager, { kind: 'operator_publish_abandoned', facts })
      })
      return { lines: [`${slug}  abandoned`], json: { abandoned: slug }, exitCode: 0 }
    }),
  )
}
