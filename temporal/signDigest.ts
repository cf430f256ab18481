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
import type { EarlyWorker, HandOver } from './createHandOver.js'
import { toServiceError } from './toServiceError.js'

/** gRPC: the run closed under our feet, or many callers ask for the same digest at once (10 updates a run at most). */
const contention = new Set([5 /* NOT_FOUND */, 8 /* RESOURCE_EXHAUSTED */, 10 /* ABORTED */])
const pauseMs = 50
/** A signature takes some 30 ms. Whoever has none after this asks the run itself, which knows why. */
const handOverMs = 1_000

/** How a client may have its answers before the server brings them. */
export interface ShortCuts {
  /** Filled with what is committed, by this process or another. */
  handOver?: HandOver | undefined
  /** A worker of the queue `sign` runs on this client's NativeConnection, and fills `handOver`. */
  signsHere?: boolean | undefined
}

/**
 * Starts the run, or joins the one in progress, and brings back its answer: the run's own, or what is handed over if that
 * is first. A client that signs here gets the first workflow task back with the start, if its worker has room.
 */
export async function signDigest(
  client: Client,
  input: SignDigestInput,
  { handOver, signsHere }: ShortCuts = {},
): Promise<SignDigestResult> {
  for (let here = signsHere; ; here = false) {
    const expected = handOver?.expect(input)
    try {
      return await client.withDeadline(input.expiresAtMs, async () => {
        if (!handOver || !expected) return joinOrStart(client, input)
        if (here) {
          const answer = await signHere(client, input, handOver.early, expected.answer)
          if (answer) return answer
        }
        return await first(expected.answer, joinOrStart(client, input))
      })
    } catch (error) {
      const known = toServiceError(error)
      // We joined a run that an earlier caller had started, and it was that caller's time that ran out, not ours.
      const joinedExpired = known.code === 'request_expired'
      if (!(joinedExpired || isContention(error)) || Date.now() + pauseMs >= input.expiresAtMs) throw known
      await sleep(pauseMs)
    } finally {
      expected?.forget()
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
 * Eager start: the server stores the run and gives its first task to this process. By then the signature is nearly made. It
 * is handed over when it is committed with the intent to publish it, so nothing is lost if the process dies before the
 * server hears of it: the run is tried again elsewhere and finds the row. Nothing comes back when another process has the run.
 */
async function signHere(client: Client, input: SignDigestInput, early: EarlyWorker, answer: Promise<SignDigestResult>) {
  early.begin(input)
  const options = { ...startOptions(input), requestEagerStart: true }
  const { eagerlyStarted } = await client.workflow.start(workflowTypes.signDigest, options)
  if (!eagerlyStarted) return undefined
  early.finish(input)
  return within(handOverMs, answer)
}

async function within<T>(ms: number, work: Promise<T>): Promise<T | undefined> {
  const late = new AbortController()
  try {
    return await Promise.race([work, sleep(ms, undefined, { signal: late.signal })])
  } finally {
    late.abort()
  }
}

/** The other one goes on, and how it ends is nobody's concern. */
function first<T>(...ways: Promise<T>[]): Promise<T> {
  for (const way of ways) way.catch(() => undefined)
  return Promise.race(ways)
}

function isContention(error: unknown): boolean {
  if (isGrpcServiceError(error)) return contention.has(error.code)
  return error instanceof Error && !(error instanceof ServiceError) && isContention(error.cause)
}
