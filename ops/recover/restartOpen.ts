import { ServiceError } from '@perigee/core'
import { workflowTypes } from '@perigee/core/workflow'
import { loadProofRecord } from '../../database/index.js'
import { restartPublishing } from '../../temporal/index.js'
import type { Recovery } from './createLosses.js'

/**
 * Restarts open publications that are older than this run. They may be ahead of the restored records: one that has pinned
 * its receipt does not pin it again, and would wait for a record that says so. One without a record is named, because it waits for
 * an operator.
 */
export async function restartOpen({ database, client, losses }: Recovery, before: Date): Promise<void> {
  const query = `WorkflowType = '${workflowTypes.publishReceipt}' AND ExecutionStatus = 'Running' AND StartTime < '${before.toISOString()}'`
  try {
    for await (const { workflowId } of client.workflow.list({ query })) {
      const slug = workflowId.slice(workflowId.indexOf('/') + 1)
      const record = await loadProofRecord(database, slug)
      if (!record) {
        const isNamed = losses.lost.some(({ id }) => id === slug)
        if (!isNamed) losses.gone('publication', slug, 'its run is open and has no record; `ops abandon` ends it')
        continue
      }
      if (record.publication.status === 'complete' || record.publication.abandonedAt) continue
      const { publication, wallet } = record
      await restartPublishing(client, { ...publication, wallet: wallet.address }, 'ops recover', 'replace')
      losses.count('open publications restarted')
    }
  } catch (error) {
    throw new ServiceError('service_unavailable', 'the open publications could not be restarted; repeat it', {}, error)
  }
}
