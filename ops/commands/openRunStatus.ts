import { defineSearchAttributeKey, SearchAttributeType } from '@temporalio/common'
import { ServiceError, type ProofStatus } from '@perigee/core'
import { workflowIds } from '@perigee/core/workflow'
import type { Temporal } from '../connections.js'

const answerMs = 5_000
const proofStatus = defineSearchAttributeKey('ProofStatus', SearchAttributeType.KEYWORD)

/**
 * The state of a proof as its open run has it; null when no run is open. It may differ from the record: a step can run out of
 * time just after it wrote there. The run then waits for an operator, while the record says that the proof is under way.
 */
export async function openRunStatus({ client }: Temporal, slug: string): Promise<ProofStatus | null> {
  try {
    const run = client.workflow.getHandle(workflowIds.receipt(slug))
    const { status, typedSearchAttributes } = await client.withDeadline(Date.now() + answerMs, () => run.describe())
    return status.name === 'RUNNING' ? ((typedSearchAttributes.get(proofStatus) ?? null) as ProofStatus | null) : null
  } catch (error) {
    if (error instanceof Error && error.name === 'WorkflowNotFoundError') return null
    throw new ServiceError('service_unavailable', 'Temporal does not answer', {}, error)
  }
}

export const isFailed = (status: ProofStatus): status is 'pin_failed' | 'onchain_failed' =>
  status === 'pin_failed' || status === 'onchain_failed'
