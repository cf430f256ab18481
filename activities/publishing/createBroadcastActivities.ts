import { cancellationSignal } from '@temporalio/activity'
import { ApplicationFailure, ApplicationFailureCategory } from '@temporalio/common'
import type { DataSource } from 'typeorm'
import { ServiceError } from '@perigee/core'
import type { PublishReceiptInput } from '@perigee/core/workflow'
import type { TransactionLookup } from '../../clients/chain/createTransactionLookup.js'
import { pause } from '../../clients/concurrency/untilAborted.js'
import { closeClaim, signedAt } from '../../database/index.js'
import { whileHeartbeating } from './whileHeartbeating.js'

export interface BroadcastDeps {
  database: DataSource
  transactions: TransactionLookup
  /** A transaction that no RPC has seen this long after it was signed is published all the same. */
  publishUnsentAfterSeconds: number
}

/** An SDK broadcasts within a second of the answer. An attempt looks this long; later ones come from Temporal's retries. */
const attemptMs = 3_000
const pollMs = 250
const longestPauseMs = 30_000

/** `no_rpc`: none of our RPCs serves the chain. `unsent`: the wait is over. `birth` and `message`: there is nothing to send. */
export interface Broadcast {
  reason: 'seen' | 'no_rpc' | 'unsent' | 'birth' | 'message'
}

export function createBroadcastActivities({ database, transactions, publishUnsentAfterSeconds }: BroadcastDeps) {
  return {
    /**
     * Returns once an RPC of the chain has seen the signed transaction, or the wait is over. Until then a receipt would
     * show a transaction that anyone could send before its owner does. From then on it no longer counts as unsent. Safe
     * to retry: it looks again.
     */
    awaitBroadcast: (input: PublishReceiptInput): Promise<Broadcast> =>
      whileHeartbeating(async () => {
        const reason = await untilSent(input)
        await closeClaim(database, input.slug)
        return { reason }
      }),
  }

  async function untilSent({ kind, slug, chainId, txHash }: PublishReceiptInput): Promise<Broadcast['reason']> {
    if (kind !== 'transaction') return kind
    if (!transactions.isKnown(chainId)) return 'no_rpc'
    const signed = await signedAt(database, slug)
    if (signed === null) throw new ServiceError('proof_not_found', 'there is no such proof')
    const deadline = signed.getTime() + publishUnsentAfterSeconds * 1000
    const attemptEnds = Date.now() + attemptMs
    for (;;) {
      if (Date.now() >= deadline) return 'unsent'
      if (await transactions.hasSeen(chainId, txHash)) return 'seen'
      if (Date.now() >= attemptEnds) throw unseen(chainId, signed, new Date(deadline))
      await pause(pollMs, cancellationSignal())
    }
  }
}

/** Each attempt waits about as long again as the transaction is old, so an unsent one costs few calls and no slot. */
function unseen(chainId: number, signed: Date, deadline: Date): ApplicationFailure {
  const left = deadline.getTime() - Date.now()
  const age = Date.now() - signed.getTime()
  return ApplicationFailure.create({
    type: 'transaction_unseen',
    message: `no RPC of chain ${chainId} has seen the transaction; its receipt is published at ${deadline.toISOString()} at the latest`,
    nextRetryDelay: Math.max(1, Math.min(age, left, longestPauseMs)),
    category: ApplicationFailureCategory.BENIGN, // waiting, not a fault: no warning and no failure metric
  })
}

export type BroadcastActivities = ReturnType<typeof createBroadcastActivities>
