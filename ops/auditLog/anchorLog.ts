import { ServiceError } from '@perigee/core'
import { taskQueues, workflowTypes, type AnchorResult } from '@perigee/core/workflow'
import { anchorScheduleId } from '../../temporal/index.js'
import type { OpsConfig } from '../config.js'
import { withTemporal } from '../connections.js'
import type { Outcome } from '../Outcome.js'

/** Publishes the head of the audit log now. Two at once share a run; one beside the schedule's run finds its anchor. */
export function anchorLog(config: OpsConfig): Promise<Outcome> {
  return withTemporal(config, async ({ client }) => {
    const anchored = (await client.workflow
      .execute(workflowTypes.anchorAuditLog, {
        workflowId: anchorScheduleId,
        taskQueue: taskQueues.publish,
        workflowIdConflictPolicy: 'USE_EXISTING',
      })
      .catch((error: unknown) => {
        throw new ServiceError(
          'service_unavailable',
          'the head was not anchored; see the workflow anchor-audit-log',
          {},
          error,
        )
      })) as AnchorResult
    const { sequence, cid, onchainTxHash, onchainBlockNumber } = anchored
    const lines = [`event ${sequence} is anchored in block ${onchainBlockNumber} (${onchainTxHash})`, `CID  ${cid}`]
    return { lines, json: anchored, exitCode: 0 }
  })
}
