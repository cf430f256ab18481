import { ServiceError } from '../../../errors/index.js'
import type { UnixSeconds } from '../../../bytes/index.js'
import { subjectOf } from '../../subjectOf.js'
import { isSimulated } from '../../anchors/vendorRoots.js'
import { cidOfReceipt, given, isoTime, receiptOf } from '../evidence.js'
import { eventsAbout, firstEvent } from '../verificationTime.js'
import type { Step } from '../types.js'

const skewSeconds = 60
const week = 7 * 86_400

/**
 * The times in the receipt fit together. Only that of the signature, or key, is bound by hardware, and it comes from the enclave's clock,
 * which its host can set. The block's time is the reliable one: the receipt is not younger than that. The verification may be
 * weeks after the signature, because a publication that was repaired later is verified again with the collateral of that day.
 */
export const times: Step = {
  name: 'times',
  title: 'The times fit together',
  skippable: true,
  isRecordable: (work) => firstEvent(work) !== undefined,
  run(work) {
    const receipt = receiptOf(work)
    const { signer, coordinator, entropy, issuedAt } = receipt
    const { madeAt, what } = subjectOf(receipt)
    const made = `the ${what}`
    const issued = Math.floor(Date.parse(issuedAt) / 1000)
    if (!Number.isFinite(issued)) throw new ServiceError('times_inconsistent', 'issuedAt is not a time')
    order('the coordinator’s report', coordinator.fetchedAt, made, madeAt, week)
    order('the entropy sample', entropy.receivedAt, made, madeAt, Infinity)
    order(made, madeAt, 'its verification', signer.verifiedAt, Infinity)
    order('the verification', signer.verifiedAt, 'the receipt', issued, Infinity)
    if (work.options.now !== undefined) order('the receipt', issued, 'today', work.options.now, Infinity)
    const event = firstEvent(work)
    if (event) {
      order(made, madeAt, 'the block of the event', event.blockTimestamp, Infinity)
      order('the receipt', issued, 'the block of its event', event.blockTimestamp, Infinity)
    }
    return `report, entropy, ${what} (${isoTime(madeAt)}), verification and publication in order`
  },
}

function order(first: string, a: UnixSeconds, second: string, b: UnixSeconds, most: number): void {
  if (!(a <= b + skewSeconds))
    throw new ServiceError('times_inconsistent', `${first} is later than ${second}`, { a, b })
  if (!(b - a <= most)) throw new ServiceError('times_inconsistent', `${first} is too long before ${second}`, { a, b })
}

/** The event names this receipt, and comes from a contract the verifier expects. None of those contracts names another. */
export const onchainEvent: Step = {
  name: 'onchain_event',
  title: 'The event on the chain names this receipt',
  skippable: true,
  isRecordable: () => true,
  run(work) {
    const receipt = receiptOf(work)
    const { wallet, txHash } = subjectOf(receipt)
    const { anchors, minConfirmations = 1 } = work.options
    const { chainId, contract } = receipt.verification.publication
    if (!anchors.contracts.some((known) => known.chainId === chainId && known.address === contract)) {
      const facts = { chainId, contract }
      throw new ServiceError('event_mismatch', `contract ${contract} on chain ${chainId} is not one you expect`, facts)
    }
    given(work, 'events', 'the event', 'is not known: no node was asked', { chainId, contract })
    const { searchedFrom } = work.evidence
    const except = searchedFrom === undefined ? '' : `; blocks before ${searchedFrom} were not searched, as you asked`
    const cid = cidOfReceipt(work)
    const other = eventsAbout(receipt, work.evidence, anchors).find((one) => one.ipfsCid !== cid)
    if (other !== undefined) {
      throw new ServiceError('event_mismatch', 'an event names another receipt for the same wallet and hash', {
        computed: cid,
        published: other.ipfsCid,
        contract: other.contract,
      })
    }
    const event = firstEvent(work)
    if (event === undefined) {
      throw new ServiceError('event_missing', `no event of ${contract} for ${txHash} was found${except}`, { contract })
    }
    if (!(event.confirmations >= minConfirmations)) {
      const facts = { confirmations: event.confirmations, minConfirmations }
      throw new ServiceError('event_missing', 'the event does not have enough confirmations yet', facts)
    }
    return `AttestationPublished(${wallet}, ${txHash}, ${cid}) by ${contract} in block ${event.blockNumber}, ${event.confirmations} confirmations${except}`
  },
}

/** The receipt admits simulated parts. Runs last, so that its line is the last one a reader sees. */
export const trustAnchorsStep: Step = {
  name: 'trust_anchors',
  title: 'The receipt says truly whether it is simulated',
  run(work) {
    const receipt = receiptOf(work)
    const simulated = isSimulated(receipt)
    if (receipt.simulated !== simulated) {
      const facts = { claimed: receipt.simulated, found: simulated }
      throw new ServiceError('simulated_mismatch', 'the receipt’s roots and entropy say otherwise', facts)
    }
    if (simulated && !work.options.anchors.simulated) {
      throw new ServiceError('development_root', 'SIMULATED, and your trust anchors accept real hardware only')
    }
    return simulated
      ? 'SIMULATED: development roots or entropy that you chose to trust; nothing is proved about hardware'
      : work.quote === undefined || work.coordinator === undefined || work.entropy === undefined
        ? 'it names Intel’s and AMD’s roots, but not all its evidence was verified'
        : 'roots are Intel’s and AMD’s own, and the entropy is not simulated'
  },
}
