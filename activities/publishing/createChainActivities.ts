import { cancellationSignal, log } from '@temporalio/activity'
import { ServiceError } from '@perigee/core'
import { createAnchorPublisher } from '../../clients/chain/publisher/createAnchorPublisher.js'
import { createProofPublisher } from '../../clients/chain/publisher/createProofPublisher.js'
import { createReorgWatch } from '../../clients/chain/publisher/createReorgWatch.js'
import { receiptOutdated } from '../../clients/chain/publisher/createSlotClaims.js'
import { createSlotResolver, type PublishingDeps } from '../../clients/chain/publisher/createSlotResolver.js'
import { findPinned, loadProofRecord, type OnchainPlace } from '../../database/index.js'
import { whileHeartbeating } from './whileHeartbeating.js'

export function createChainActivities(deps: PublishingDeps) {
  const resolver = createSlotResolver(deps)
  const publishProof = createProofPublisher(deps, resolver)
  const anchors = createAnchorPublisher(deps, resolver)
  const reorgs = createReorgWatch(deps, resolver)

  return {
    /** Returns the proofs whose block a reorg took. Safe to retry: it only compares, and sends what is stored. */
    reopenReorged: ({ seconds }: { seconds: number }): Promise<string[]> =>
      whileHeartbeating(async () => {
        try {
          return await reorgs.reopenReorged(seconds, log)
        } finally {
          // Also when the search has failed: transactions in flight do not wait for it.
          await reorgs.rebroadcastAll(log)
          await anchors.recordPlaces(log)
        }
      }),

    /**
     * Safe to retry, and to run twice at once: a proof keeps its nonce, a nonce keeps its signed transactions, and the
     * chain is searched for the event before a proof gets a nonce.
     */
    publishOnchain: ({ slug }: { slug: string }): Promise<OnchainPlace> =>
      whileHeartbeating(async () => {
        const proof = await findPinned(deps.database, slug)
        if (proof) return publishProof(proof, cancellationSignal())
        // It was pinned before this step. An earlier attempt, or its wallet's birth, has marked it outdated since.
        if (await loadProofRecord(deps.database, slug)) throw receiptOutdated()
        throw new ServiceError('proof_not_found', 'there is no such proof')
      }),

    /** Safe to retry: the anchor keeps its nonce, and one that is published is not published again. */
    publishAuditHead: ({ sequence }: { sequence: number }): Promise<OnchainPlace> =>
      whileHeartbeating(() => anchors.publish(sequence, cancellationSignal())),
  }
}

export type ChainActivities = ReturnType<typeof createChainActivities>
