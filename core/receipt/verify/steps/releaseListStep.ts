import { cidOf } from '../../../bytes/index.js'
import { ServiceError } from '../../../errors/index.js'
import { checkReleaseAge } from '../../../measurements/index.js'
import { releaseInForce } from '../../../releases/index.js'
import { given, hashed, receiptOf } from '../evidence.js'
import { firstEvent, isEventUnread } from '../verificationTime.js'
import type { Step } from '../types.js'

/**
 * Which list of builds counted when the receipt was published. Block numbers come from a node that the verifier trusts,
 * so nobody can date a receipt back to a list that still had its build. A receipt without an event has no block: it is
 * judged by the newest list, which no longer has a withdrawn build. If the node failed, nothing is known about the block,
 * and a newer list must not refuse what was right under its own.
 */
export const releaseList: Step = {
  name: 'release_list',
  title: 'The list of builds in force at the event’s block',
  skippable: true,
  isRecordable: () => true,
  run(work) {
    const { signer, verification } = receiptOf(work)
    const event = firstEvent(work)
    const chainId = event?.chainId ?? verification.publication.chainId
    const blockNumber = event?.blockNumber ?? Number.MAX_SAFE_INTEGER
    const { releases } = work.options.anchors
    if (!releases.contracts.some((known) => known.chainId === chainId)) {
      const message = `your trust anchors name no contract that announces lists of builds on chain ${chainId}`
      throw new ServiceError('release_missing', message, { chainId })
    }
    const what = 'the announced lists of builds'
    const announced = given(work, 'releases', what, 'are not known: no node was asked', { chainId })
    if (isEventUnread(work)) {
      throw new ServiceError('evidence_missing', 'the event could not be read, so its block and list are not known')
    }
    const found = releaseInForce(announced, releases, { chainId, blockNumber }, work.options.lists)
    checkReleaseAge(found.release, event?.blockTimestamp ?? work.options.now ?? signer.verifiedAt)
    work.releaseInForce = found
    for (const list of work.options.explain ? announced.lists : []) {
      if (cidOf(list) === found.cid) hashed(work, `list ${found.release.version} of builds`, 'sha-256', list)
    }
    const list = `list ${found.release.version}, SHA-256 ${found.sha256}, announced by ${found.contract},`
    return event
      ? `${list} was in force from block ${found.fromBlock} and at block ${blockNumber} of this receipt`
      : `${list} is the newest; no event gives this receipt a block`
  },
}
