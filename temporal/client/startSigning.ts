import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { isGrpcServiceError, WithStartWorkflowOperation, type Client } from '@temporalio/client'
import { ServiceError } from '@perigee/core/errors'
import { messages, priorities, type SignDigestResult } from '@perigee/core/workflow'
import { joining } from './joining.js'
import { toServiceError } from './toServiceError.js'

/** A run of `signDigest` or `signMessage`. */
interface SigningRun {
  type: string
  workflowId: string
  summary: string
  input: { walletId: string; expiresAtMs: number }
}

/** gRPC: the run closed while we joined it, or many callers ask for the same digest at once (10 updates a run at most). */
const contention = new Set([5 /* NOT_FOUND */, 8 /* RESOURCE_EXHAUSTED */, 10 /* ABORTED */])
const pauseMs = 50

/** Starts the signing run, or joins the one in progress, and returns its answer. Throws ServiceError only. */
export async function startSigning(client: Client, run: SigningRun): Promise<SignDigestResult> {
  const { expiresAtMs } = run.input
  for (;;) {
    try {
      return await client.withDeadline(expiresAtMs, () => startOrJoin(client, run))
    } catch (error) {
      const known = toServiceError(error)
      // We joined a run that an earlier caller had started, and it was that caller's time that ran out, not ours.
      const joinedExpired = known.code === 'request_expired' || known.code === 'statement_expired'
      if (!(joinedExpired || isContention(error)) || Date.now() + pauseMs >= expiresAtMs) throw known
      await sleep(pauseMs)
    }
  }
}

/**
 * Update-with-Start: one call. Temporal keeps the outcome of an update id, failures too, so every attempt has an id of
 * its own; the row (wallet and digest, or request) makes the answer the same each time, not the id.
 */
function startOrJoin(client: Client, { type, workflowId, summary, input }: SigningRun): Promise<SignDigestResult> {
  const startWorkflowOperation = new WithStartWorkflowOperation(type, {
    ...joining,
    workflowId,
    args: [input] as [typeof input],
    priority: priorities.sign(input.walletId),
    staticSummary: summary,
  })
  return client.workflow.executeUpdateWithStart<(input: SigningRun['input']) => Promise<void>, SignDigestResult, []>(
    messages.sign,
    { updateId: randomUUID(), startWorkflowOperation },
  )
}

function isContention(error: unknown): boolean {
  if (isGrpcServiceError(error)) return contention.has(error.code)
  return error instanceof Error && !(error instanceof ServiceError) && isContention(error.cause)
}
