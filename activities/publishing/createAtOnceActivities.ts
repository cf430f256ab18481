import type { OnchainPlace } from '../../database/index.js'
import type { ChainActivities } from './createChainActivities.js'
import type { PinActivities } from './createPinActivities.js'

export interface AtOnceDeps {
  pins: Pick<PinActivities, 'pinProof'>
  /** Null in a process that does not serve the queue `chain`: the publishing keys may be elsewhere. */
  chain: Pick<ChainActivities, 'publishWithin'> | null
}

export interface PublishedAtOnce {
  /** Null when the receipt could not be pinned. */
  cid: string | null
  /** Null when the event was not at depth in time. */
  place: OnchainPlace | null
}

/** Both steps of a publication in one local activity: on a fast chain the whole workflow is then one workflow task. */
export function createAtOnceActivities({ pins, chain }: AtOnceDeps) {
  return {
    /** Safe to retry, and to be followed by the two steps: it is made of them, and both go on from the record. */
    async publishAtOnce({ slug, withinMs }: { slug: string; withinMs: number }): Promise<PublishedAtOnce> {
      const until = Date.now() + withinMs
      const proof = await pins.pinProof(slug)
      const { cid } = proof
      if (!chain || Date.now() >= until) return { cid, place: null }
      try {
        return { cid, place: await chain.publishWithin(proof, until - Date.now()) }
      } catch {
        return { cid, place: null } // the next step meets the same fault, with time to mend it or to name it
      }
    },
  }
}

export type AtOnceActivities = ReturnType<typeof createAtOnceActivities>
