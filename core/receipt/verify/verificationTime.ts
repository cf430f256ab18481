import { cidOf, type UnixSeconds } from '../../bytes/index.js'
import { subjectOf } from '../subjectOf.js'
import type { AnyReceipt } from '../AnyReceipt.js'
import type { TrustAnchors } from '../anchors/TrustAnchors.js'
import { cidOfReceipt, receiptOf } from './evidence.js'
import type { PublishedEvent, ReceiptEvidence, ReceiptVerdict, Work } from './types.js'

/**
 * The second as of which hardware evidence is verified, and for people who vouches for that time.
 * The block of the event is the only time that somebody else saw: the receipt existed then. The clocks of enclave and service are
 * those of the operator, who could set them back to a day on which a key was not revoked yet.
 */
export function verificationTime(work: Work): { asOf: UnixSeconds; witness: string } {
  const { at } = work.options
  if (at !== undefined) return { asOf: at, witness: 'the time you gave' }
  const event = firstEvent(work)
  if (event) {
    const recorded = work.evidence.recorded ? ', as recorded and not checked' : ''
    return { asOf: event.blockTimestamp, witness: `the time of block ${event.blockNumber}${recorded}` }
  }
  return {
    asOf: receiptOf(work).signer.verifiedAt,
    witness: 'the receipt’s own time: without an event, nobody else saw it',
  }
}

/** The first event that publishes this receipt: publishing it again does not make it younger. None when the step is skipped. */
export function firstEvent(work: Work): PublishedEvent | undefined {
  const { evidence, options } = work
  if (options.skip?.includes('onchain_event')) return undefined
  return eventsNaming(cidOfReceipt(work), evidence, receiptOf(work), options.anchors)[0]
}

/** The events that name these bytes, by the contract that the receipt itself names, oldest first. */
export function publishingEvents(
  evidence: Pick<ReceiptEvidence, 'receipt' | 'events'>,
  receipt: AnyReceipt,
  anchors: TrustAnchors,
): PublishedEvent[] {
  return eventsNaming(cidOf(evidence.receipt), evidence, receipt, anchors)
}

function eventsNaming(
  cid: string,
  evidence: Pick<ReceiptEvidence, 'events'>,
  receipt: AnyReceipt,
  anchors: TrustAnchors,
): PublishedEvent[] {
  const { contract } = receipt.verification.publication
  return eventsAbout(receipt, evidence, anchors)
    .filter((event) => event.ipfsCid === cid && event.contract.toLowerCase() === contract)
    .sort((a, b) => a.blockNumber - b.blockNumber)
}

/** True when a node was to be asked for the event and did not answer: whether there is one is unknown. */
export function isEventUnread({ evidence, options }: Work): boolean {
  return evidence.events === undefined && !options.skip?.includes('onchain_event')
}

/**
 * The events for the receipt's wallet and hash, of every contract that the reader expects on the receipt's chain. One that names
 * other bytes contradicts it, whichever of those contracts emitted it: otherwise a publisher could keep a receipt on each.
 */
export function eventsAbout(
  receipt: AnyReceipt,
  { events = [] }: Pick<ReceiptEvidence, 'events'>,
  { contracts }: TrustAnchors,
): PublishedEvent[] {
  const { wallet, txHash } = subjectOf(receipt)
  const { chainId } = receipt.verification.publication
  return events.filter(
    (event) =>
      event.chainId === chainId &&
      contracts.some((known) => known.chainId === chainId && known.address === event.contract.toLowerCase()) &&
      event.wallet.toLowerCase() === wallet &&
      event.txHash.toLowerCase() === txHash,
  )
}

const day = 86_400

/** A sentence for people when the enclave's clock and the block are more than a day apart, otherwise null. */
export function timesApart({ signedAt, blockTime }: Pick<ReceiptVerdict, 'signedAt' | 'blockTime'>): string | null {
  if (signedAt === null || blockTime === null || Math.abs(blockTime - signedAt) <= day) return null
  const days = Math.round(Math.abs(blockTime - signedAt) / day)
  return `The enclave’s clock and the block are ${days === 1 ? 'more than a day' : `${days} days`} apart. A publication that was repaired late looks like this, and so does a signature that was dated back: rely on the block’s time.`
}
