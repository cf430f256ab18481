import { ServiceError, type ProofStatus } from '@perigee/core'
import { proofKeys, workflowIds } from '@perigee/core/workflow'
import type { TemporalClient } from '../../temporal/index.js'

const answerMs = 5_000

/**
 * The state of a proof as its open run has it; null when no run is open. It may differ from the record: a step can run out of
 * time just after it wrote there. The run then waits for an operator, while the record says that the proof is under way.
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
