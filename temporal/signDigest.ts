import { randomUUID } from 'node:crypto'
import { isGrpcServiceError, WithStartWorkflowOperation, type Client } from '@temporalio/client'
import { ServiceError } from '@perigee/core/errors'
import {
  messages,
  taskQueues,
  workflowIds,
  workflowTypes,
  type SignDigestInput,
  type SignDigestResult,
} from '@perigee/core/workflow'
import { toServiceError } from './toServiceError.js'

/** gRPC: the run closed under our feet, or many callers ask for the same digest at once (10 updates a run at most). */
const contention = new Set([5 /* NOT_FOUND */, 8 /* RESOURCE_EXHAUSTED */, 10 /* ABORTED */])
const pauseMs = 50

/**
 * Update-with-Start: one call starts the run, or joins the one in progress, and brings back its answer.
 * Temporal keeps the outcome of an update id for ever, failures too, so every attempt has an id of its own; what makes
 * the answer the same each time is the row (wallet, digest), not the id.
 */
export async function signDigest(client: Client, input: SignDigestInput): Promise<SignDigestResult> {
  for (;;) {
    try {
      return await client.withDeadline(input.expiresAtMs, () => attempt(client, input))
    } catch (error) {
      const known = toServiceError(error)
      // We joined a run that an earlier caller had started, and it was that caller's time that ran out, not ours.
      const joinedExpired = known.code === 'request_expired'
      if (!(joinedExpired || isContention(error)) || Date.now() + pauseMs >= input.expiresAtMs) throw known
      await new Promise((resolve) => setTimeout(resolve, pauseMs))
    }
  }
}

function attempt(client: Client, input: SignDigestInput): Promise<SignDigestResult> {
  return client.workflow.executeUpdateWithStart<(input: SignDigestInput) => Promise<void>, SignDigestResult, []>(
    messages.sign,
    {
      updateId: randomUUID(),
      startWorkflowOperation: new WithStartWorkflowOperation(workflowTypes.signDigest, {
        workflowId: workflowIds.sign(input.walletId, input.digest),
        taskQueue: taskQueues.sign,
        args: [input],
        workflowIdConflictPolicy: 'USE_EXISTING',
        workflowIdReusePolicy: 'ALLOW_DUPLICATE',
        // Bounds how long a killed worker can hold a caller up: the server hands the task to another after this.
        workflowTaskTimeout: '5s',
        staticSummary: `sign ${input.digest.slice(0, 18)}… on chain ${input.transaction.chainId}`,
      }),
    },
  )
}

function isContention(error: unknown): boolean {
  if (isGrpcServiceError(error)) return contention.has(error.code)
  return error instanceof Error && !(error instanceof ServiceError) && isContention(error.cause)
}
