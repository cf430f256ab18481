import { ServiceError } from '@perigee/core'
import {
  findNamingFormer,
  findPinned,
  findSlotOf,
  findWaiting,
  markOutdated,
  type NewSlot,
  type OnchainPlace,
  type WaitingProof,
} from '../../../database/index.js'
import { createCollateralAges } from '../../collateral/createCollateralAges.js'
import { tolerateOutage } from '../../concurrency/tolerateOutage.js'
import { pause, untilAborted } from '../../concurrency/untilAborted.js'
import { contradiction, type PublishingDeps } from './createSlotResolver.js'

/**
 * While a change of contract is rolled out, the worker that pins may have the other contract. The two then have the receipt assembled
 * again in turns, at most this often.
 */
const otherContractMs = 30_000

/** Verifiers would refuse the receipt, so it gets no nonce. The workflow has it assembled and pinned again. */
export const receiptOutdated = () =>
  new ServiceError('receipt_outdated', 'the pinned receipt is out of date and must be assembled again')

/**
 * A receipt names its wallet's birth, which gets another CID if it waits too long for the chain. So none is published before
 * the birth, unless one transaction publishes both.
 */
function withBirths(proofs: readonly WaitingProof[]): WaitingProof[] {
  const born = new Set(proofs.filter(({ kind }) => kind === 'birth').map(({ wallet }) => wallet))
  return proofs.filter(({ birth, wallet }) => birth === null || born.has(wallet))
}

function refuseFailedBirth({ birth }: WaitingProof): void {
  if (birth?.status !== 'pin_failed' && birth?.status !== 'onchain_failed') return
  const message = `the birth of this wallet (proof ${birth.slug}) has failed, and the receipt names it`
  throw new ServiceError('birth_not_published', message)
}

/** It may still bring its proofs on the chain, or has done so. */
export const isLive = ({ state }: NewSlot): boolean => state === 'open' || state === 'confirmed'

/** The slot that carries the proof, or the place of its event when that exists already. */
type Claimed = { slot: NewSlot } | { place: OnchainPlace }

/** Gets proofs a slot. Those of this process claim one after another: the first takes the others along in its batch. */
export function createSlotClaims({ database, chain, publisher, meter }: PublishingDeps) {
  const { config } = chain
  const ages = createCollateralAges(database)
  let last: Promise<unknown> = Promise.resolve()

  /** Keeps its turn while there is no room, because the next proof would find none either. */
  async function claim(proof: WaitingProof, spentId: string | null, signal: AbortSignal): Promise<Claimed | null> {
    const tolerant = tolerateOutage(config.maxOutageMs)
    while (!signal.aborted) {
      const claimed = await tolerant(() => tryToClaim(proof, spentId))
      if (claimed && typeof claimed === 'object') return claimed
      await pause(config.pollMs, signal)
      if (claimed === 'not now') return null // it may take many blocks: do not make the others wait
    }
    return null
  }

  /**
   * `busy`: there is no room, others may still join, or another worker was faster. `not now`: keeping the turn would not help.
   */
  async function tryToClaim(proof: WaitingProof, spentId: string | null): Promise<Claimed | 'busy' | 'not now'> {
    const waiting = await findWaiting(database, proof.slug, config.maxBatch)
    const own = waiting.find(({ slug }) => slug === proof.slug)
    if (!own) {
      const slot = await findSlotOf(database, proof.slug)
      if (slot && isLive(slot)) return { slot } // another batch has taken it along
    }
    const pinned = own ?? (await findPinned(database, proof.slug))
    if (pinned?.cid !== proof.cid) throw receiptOutdated() // its wallet's birth was, and so is it
    if (own && mayWaitForOthers(own, waiting)) return 'busy'
    const room = await publisher.accountsWithRoom()
    if (room.length === 0) {
      await publisher.rebroadcastAll()
      return 'busy'
    }
    const published = await chain.findEvents([proof, ...waiting])
    const place = published.get(proof.slug)
    if (place) return (await isPermanent(proof, place)) ? { place } : 'not now'
    if (!own) return 'not now' // another worker has ended it
    refuseFailedBirth(own)
    if (own.slotId !== spentId) return 'not now' // another worker has moved it to a slot that is not known to be spent
    // Others with an event are left to their own workflow, which will find it in the same way.
    const unpublished = waiting.filter(({ slug }) => !published.has(slug))
    const current = await upToDate(unpublished)
    if (!current.includes(own)) {
      if (own.contract !== config.contract && own.waitedMs < otherContractMs) return 'not now'
      if (await markOutdated(database, own)) throw receiptOutdated()
      return 'not now' // another worker has just moved it
    }
    const ready = withBirths(current)
    if (!ready.includes(own)) return 'not now'
    const slot = await publisher.open(ready, room, spentId)
    if (slot) return { slot }
    await publisher.rebroadcastAll() // the keys that may publish can be full, although others have room
    return 'busy'
  }

  /**
   * Those that verifiers would accept: with collateral of the last days, the CID that their wallet's birth has now, and the contract
   * that this worker publishes with.
   */
  async function upToDate(proofs: readonly WaitingProof[]): Promise<WaitingProof[]> {
    const slugs = proofs.map(({ slug }) => slug)
    const naming = await findNamingFormer(database, slugs, config.contract)
    const found: WaitingProof[] = []
    for (const proof of proofs) {
      if (!naming.has(proof.slug) && !(await ages.isOutdated(proof.collateralCid))) found.push(proof)
    }
    return found
  }

  /** A fuller transaction costs a fraction for each proof. One that had a slot before has waited long enough. */
  function mayWaitForOthers(own: WaitingProof, waiting: readonly WaitingProof[]): boolean {
    const { batchDelayMs, maxBatch } = config
    return own.slotId === null && waiting.length < maxBatch && waiting.every(({ waitedMs }) => waitedMs < batchDelayMs)
  }

  /**
   * For an event that none of our transactions brought (records restored from an older backup). More than one RPC must
   * show it if there are more, and it must be final, because nothing of ours could publish it again after a reorg.
   */
  async function isPermanent(proof: WaitingProof, place: OnchainPlace): Promise<boolean> {
    for (const receipt of await chain.findMined([place.onchainTxHash])) {
      const confirmation = await chain.confirmationOf(receipt)
      if (confirmation.is === 'disputed') throw contradiction(meter, confirmation.between)
      if (confirmation.is === 'confirmed' && chain.eventIn(receipt, proof)) {
        return chain.isFinal(BigInt(place.onchainBlockNumber))
      }
    }
    return false
  }

  /** `spentId`: the slot that the proof had and may leave. Null: check the proof again. */
  return (proof: WaitingProof, spentId: string | null, signal: AbortSignal): Promise<Claimed | null> => {
    const turn = last.then(() => claim(proof, spentId, signal))
    last = turn.catch(() => undefined)
    return untilAborted(turn, signal)
  }
}
