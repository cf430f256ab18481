import { ServiceError } from '@perigee/core'
import {
  taskQueues,
  workflowTypes,
  type AnchorInput,
  type AnchorResult,
  type OperatorRequest,
} from '@perigee/core/workflow'
import { appendAuditEvent } from '../../database/index.js'
import { anchorScheduleId, toServiceError } from '../../temporal/index.js'
import type { OpsConfig } from '../config.js'
import { withDatabase, withTemporal } from '../connections.js'
import type { Outcome } from '../Outcome.js'

/** Publishes the head of the audit log now. Two at once share a run; one beside the schedule's run finds its anchor. */
export const anchorLog = (config: OpsConfig): Promise<Outcome> => run(config, anchorScheduleId, {})

/** Publishes the head of a log that is broken since its last anchor. Who accepted that, and why, is its newest event. */
export async function acceptLog(config: OpsConfig, request: OperatorRequest): Promise<Outcome> {
  const event = { kind: 'operator_log_accepted', facts: { ...request } } as const
  await withDatabase(config, (database) => appendAuditEvent(database, event))
  return run(config, `${anchorScheduleId}/accepted`, { acceptFault: true })
}

function run(config: OpsConfig, workflowId: string, input: AnchorInput): Promise<Outcome> {
  return withTemporal(config, async ({ client }) => {
    try {
      const options = { workflowId, taskQueue: taskQueues.publish, workflowIdConflictPolicy: 'USE_EXISTING' } as const
      const anchored = await client.workflow.execute(workflowTypes.anchorAuditLog, { ...options, args: [input] })
      return describe(anchored as AnchorResult)
    } catch (error) {
      const { code, message, facts } = toServiceError(error)
      if (code === 'audit_log_broken') return { lines: [`FAIL  ${message}`], json: { code, ...facts }, exitCode: 1 }
      const advice = `the head was not anchored; see the workflow ${workflowId}`
      throw new ServiceError('service_unavailable', advice, {}, error)
    }
  })
}

function describe(anchored: AnchorResult): Outcome {
  const { sequence, cid, onchainTxHash, onchainBlockNumber } = anchored
  const lines = [`event ${sequence} is anchored in block ${onchainBlockNumber} (${onchainTxHash})`, `CID  ${cid}`]
  return { lines, json: anchored, exitCode: 0 }
}
