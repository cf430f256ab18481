import { cidOf } from '../../bytes/index.js'
import { ServiceError } from '../../errors/index.js'
import { checkReleaseAge } from '../../measurements/index.js'
import { releaseInForce } from '../../releases/index.js'
import { hashed, receiptOf } from './evidence.js'
import { eventsAbout } from './publicationSteps.js'
import type { PublishedEvent, Step, Work } from './types.js'

/**
 * Which list of builds counted when the receipt was published. Block numbers come from a node that the verifier trusts,
 * so nobody can date a receipt back to a list that still had its build.
 */
export const releaseList: Step = {
  name: 'release_list',
  title: 'The list of builds in force at the signature’s block',
  skippable: true,
  run(work) {
    const { blockNumber, blockTimestamp, chainId } = firstEvent(work)
    const { releases } = work.options.anchors
    if (!releases.contracts.some((known) => known.chainId === chainId)) {
      const message = `your trust anchors name no contract that announces lists of builds on chain ${chainId}`
      throw new ServiceError('release_missing', message, { chainId })
    }
    if (work.evidence.releases === undefined) {
      throw new ServiceError('evidence_missing', 'no node was queried for the announced lists of builds', { chainId })
    }
    const found = releaseInForce(work.evidence.releases, releases, { chainId, blockNumber })
    checkReleaseAge(found.release, blockTimestamp)
    work.releaseInForce = found
    for (const list of work.evidence.releases.lists) {
      if (cidOf(list) === found.cid) hashed(work, `list ${found.release.version} of builds`, 'sha-256', list)
    }
    return `list ${found.release.version}, SHA-256 ${found.sha256}, announced by ${found.contract}, was in force from block ${found.fromBlock} and at block ${blockNumber} of this receipt`
  },
}

/** The first event that names this receipt: a receipt that is published again does not become younger. */
function firstEvent(work: Work): PublishedEvent {
  const receipt = receiptOf(work)
  const { events } = work.evidence
  if (events === undefined) throw new ServiceError('evidence_missing', 'no node was queried for the event')
  const cid = cidOf(work.evidence.receipt)
  const [first] = eventsAbout(receipt, events)
    .filter((event) => event.ipfsCid === cid)
    .sort((a, b) => a.blockNumber - b.blockNumber)
  if (first === undefined) throw new ServiceError('event_missing', 'no event names this receipt, so it has no block')
  return first
}
