import { ServiceError, type ProofStatus } from '@perigee/core'
import { proofKeys, workflowIds } from '@perigee/core/workflow'
import type { TemporalClient } from '../../temporal/index.js'

const answerMs = 5_000

/**
 * The state of a proof as its open run has it; null when no run is open. It may differ from the record, which does not fail a step
 * that has been done: a run may wait for an operator at a step that an attempt before it, or the run before it, had finished.
 */
export async function openRunStatus({ client }: TemporalClient, slug: string): Promise<ProofStatus | null> {
  try {
    const run = client.workflow.getHandle(workflowIds.receipt(slug))
    const { status, typedSearchAttributes } = await client.withDeadline(Date.now() + answerMs, () => run.describe())
    const found = typedSearchAttributes.get(proofKeys.status) as ProofStatus | undefined
    return status.name === 'RUNNING' ? (found ?? null) : null
  } catch (error) {
    if (error instanceof Error && error.name === 'WorkflowNotFoundError') return null
    throw new ServiceError('service_unavailable', 'Temporal does not answer', {}, error)
  }
}

export const isFailed = (status: ProofStatus): status is 'pin_failed' | 'onchain_failed' =>
  status === 'pin_failed' || status === 'onchain_failed'
