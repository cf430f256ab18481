import type { DataSource } from 'typeorm'
import { ServiceError } from '@perigee/core'
import type { OperatorRequest } from '@perigee/core/workflow'
import { inParallel } from '../../clients/concurrency/inParallel.js'
import { appendAuditEvent, findStuck, loadProofRecord, markRetried } from '../../database/index.js'
import { restartPublishing, type TemporalClient } from '../../temporal/index.js'
import type { OpsConfig } from '../config.js'
import { withDatabase, withTemporal } from '../connections.js'
import type { Outcome } from '../Outcome.js'
import { isFailed, openRunStatus } from './openRunStatus.js'

interface RetryCommand extends OperatorRequest {
  target: { slug: string } | { all: true; code: string | null }
}

const parallel = 8

/** Retries failed proofs. The audit log has each retry before it happens: unlike an abandonment, the record does not show it. */
export function retry(config: OpsConfig, { target, operator, reason }: RetryCommand): Promise<Outcome> {
  return withDatabase(config, (database) =>
    withTemporal(config, async (temporal) => {
      const retried: string[] = []
      const refused: { slug: string; code: string; message: string }[] = []
      await inParallel(parallel, await slugsOf(database, target), async (slug) => {
        try {
          await retryOne(database, temporal, slug, { operator, reason })
          retried.push(slug)
        } catch (error) {
          if (!(error instanceof ServiceError)) throw error
          refused.push({ slug, code: error.code, message: error.message })
        }
      })
      const lines = [
        ...retried.map((slug) => `${slug}  retried`),
        ...refused.map(({ slug, code, message }) => `${slug}  refused: ${code}: ${message}`),
        `${retried.length} retried, ${refused.length} refused`,
      ]
      return { lines, json: { retried, refused }, exitCode: refused.length === 0 ? 0 : 3 }
    }),
  )
}

async function slugsOf(database: DataSource, target: RetryCommand['target']): Promise<string[]> {
  if ('slug' in target) return [target.slug]
  const slugs: string[] = []
  for await (const proof of findStuck(database, { overdueSeconds: 10 ** 9, abandoned: false })) {
    const isWanted = target.code === null || proof.errorCode === target.code
    if (isWanted && isFailed(proof.status)) slugs.push(proof.slug)
  }
  return slugs
}

async function retryOne(database: DataSource, temporal: TemporalClient, slug: string, request: OperatorRequest) {
  const record = await loadProofRecord(database, slug)
  if (!record) throw new ServiceError('proof_not_found', 'there is no such proof')
  const { publication, wallet } = record
  const open = await openRunStatus(temporal, slug)
  const status = open ?? publication.status
  if (!isFailed(status)) throw new ServiceError('invalid_request', `the proof has not failed, it is ${status}`)
  await database.transaction(async (manager) => {
    if (!open) await markRetried(manager, slug)
    await appendAuditEvent(manager, { kind: 'operator_publish_retried', facts: { slug, ...request, status } })
  })
  if (open) return temporal.retryPublish(slug, request)
  // Its workflow has ended (abandoned, terminated, or thirty days without an operator). A new one needs only the record.
  await restartPublishing(temporal.client, { ...publication, wallet: wallet.address }, 'ops retry')
}
