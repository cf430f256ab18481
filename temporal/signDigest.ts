import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
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
import type { HandOver } from './createHandOver.js'
import { toServiceError } from './toServiceError.js'

/** gRPC: the run closed under our feet, or many callers ask for the same digest at once (10 updates a run at most). */
const contention = new Set([5 /* NOT_FOUND */, 8 /* RESOURCE_EXHAUSTED */, 10 /* ABORTED */])
const pauseMs = 50
/** A signature takes some 30 ms. Whoever has none after this asks the run itself, which knows why. */
const handOverMs = 1_000

/**
 * Starts the run, or joins the one in progress, and brings back its answer. With a `handOver` the first workflow task
 * comes back with the start and is done in this process, if its worker has room; otherwise it goes by way of the queue.
 */
export async function signDigest(
  client: Client,
  input: SignDigestInput,
  handOver?: HandOver,
): Promise<SignDigestResult> {
  for (let here = handOver; ; here = undefined) {
    try {
      return await client.withDeadline(input.expiresAtMs, async () => {
        return (here && (await signHere(client, input, here))) ?? (await joinOrStart(client, input))
      })
    } catch (error) {
      const known = toServiceError(error)
      // We joined a run that an earlier caller had started, and it was that caller's time that ran out, not ours.
      const joinedExpired = known.code === 'request_expired'
      if (!(joinedExpired || isContention(error)) || Date.now() + pauseMs >= input.expiresAtMs) throw known
      await sleep(pauseMs)
    }
  }
}

const startOptions = (input: SignDigestInput) => ({
  workflowId: workflowIds.sign(input.walletId, input.digest),
  taskQueue: taskQueues.sign,
  args: [input] as [SignDigestInput],
  workflowIdConflictPolicy: 'USE_EXISTING' as const,
  workflowIdReusePolicy: 'ALLOW_DUPLICATE' as const,
  // Bounds how long a killed worker can hold a caller up: the server hands the task to another after this.
  workflowTaskTimeout: '5s' as const,
  staticSummary: `sign ${input.digest.slice(0, 18)}… on chain ${input.transaction.chainId}`,
})

/**
 * Update-with-Start: one call. Temporal keeps the outcome of an update id for ever, failures too, so every attempt has
 * an id of its own; what makes the answer the same each time is the row (wallet, digest), not the id.
 */
function joinOrStart(client: Client, input: SignDigestInput): Promise<SignDigestResult> {
  return client.workflow.executeUpdateWithStart<(input: SignDigestInput) => Promise<void>, SignDigestResult, []>(
    messages.sign,
    {
      updateId: randomUUID(),
      startWorkflowOperation: new WithStartWorkflowOperation(workflowTypes.signDigest, startOptions(input)),
    },
  )
}

/**
 * Eager start. What is handed over has been committed with the intent to publish it, so nothing is lost if this process
 * dies before the server hears of it: the run is tried again elsewhere and finds the row. Undefined when the run is
 * someone else's or takes long: then the run is asked.
 */
async function signHere(client: Client, input: SignDigestInput, handOver: HandOver) {
  const { answer, forget } = handOver.expect(input)
  const late = new AbortController()
  try {
    const options = { ...startOptions(input), requestEagerStart: true }
    const { eagerlyStarted } = await client.workflow.start(workflowTypes.signDigest, options)
    if (!eagerlyStarted) return undefined
    return await Promise.race([answer, sleep(handOverMs, undefined, { signal: late.signal })])
  } finally {
    late.abort()
    forget()
  }
}

function isContention(error: unknown): boolean {
  if (isGrpcServiceError(error)) return contention.has(error.code)
  return error instanceof Error && !(error instanceof ServiceError) && isContention(error.cause)
}
