import { cancellationSignal, log } from '@temporalio/activity'
import { ApplicationFailure, ApplicationFailureCategory } from '@temporalio/common'
import { cidOf, ServiceError } from '@perigee/core'
import type { AnchorInput } from '@perigee/core/workflow'
import type { PublishingMeter } from '../../clients/createPublishingMeter.js'
import { createBlockPinner } from '../../clients/ipfs/createBlockPinner.js'
import type { Gateway } from '../../clients/ipfs/createGateway.js'
import { repairPins, type PinRepair, type RepairInput } from '../../clients/ipfs/repairPins.js'
import { findBirth, loadProofRecord, markPinned, markRepaired } from '../../database/index.js'
import { assembleReceipt } from './assembleReceipt.js'
import { createHeadKeeper, type HeadDeps } from './createHeadKeeper.js'
import { createVerificationRenewal, type RenewalDeps } from './createVerificationRenewal.js'
import { whileHeartbeating } from './whileHeartbeating.js'

export interface PinDeps extends Omit<RenewalDeps, 'chain'> {
  chain: RenewalDeps['chain'] & HeadDeps['chain']
  /** The number of nodes that must hold a block before it counts as pinned. */
  required: number
  /** A receipt must be seen here too before it counts. */
  publicGateway?: Gateway | undefined
  meter: PublishingMeter
}

export function createPinActivities(deps: PinDeps) {
  const { database, publicGateway } = deps
  const renewed = createVerificationRenewal(deps)
  const keepHead = createHeadKeeper(deps)
  const { pinBlock, pinBundle } = createBlockPinner(deps, log)

  async function pinProof(slug: string): Promise<string> {
    const found = await loadProofRecord(database, slug)
    if (!found) throw new ServiceError('proof_not_found', 'there is no such proof')
    if (found.publication.cid) return found.publication.cid
    const signal = cancellationSignal()
    const birthCid = found.kind === 'birth' ? null : await birthCidOf(found.wallet.id)
    const record = await renewed(found, birthCid)
    const { attestation } = record
    const receipt = assembleReceipt(record, birthCid)
    const bytes = new TextEncoder().encode(receipt)
    const cid = cidOf(bytes)
    // What a receipt names must be pinned before the receipt is.
    await pinBundle(attestation.collateralCid, signal)
    await pinBundle(attestation.trustAnchorsCid, signal)
    const nodes = await pinBlock(cid, bytes, signal)
    await publicGateway?.see(cid, signal)
    if (await markPinned(database, slug, { cid, receipt, nodes })) return cid
    // Another attempt has pinned it, which the next one finds; or the proof has failed, and waits for an operator.
    throw new ServiceError('pin_unavailable', 'the record of the proof has changed while its receipt was pinned')
  }

  /** The receipt of a signature names its wallet's birth, so the birth must be public first. */
  async function birthCidOf(walletId: string): Promise<string> {
    const birth = await findBirth(database, walletId)
    if (birth?.cid) return birth.cid
    throw ApplicationFailure.create({
      type: 'birth_not_published',
      message: `the birth of this wallet (proof ${birth?.slug ?? 'unknown'}) is not pinned yet, and the receipt names it`,
      nextRetryDelay: '1s',
      category: ApplicationFailureCategory.BENIGN, // waiting, not a fault: no warning and no failure metric
    })
  }

  return {
    /** Brings back blocks that a node lost, or missed while it was down. Safe to retry: pinning again changes nothing. */
    repairPins: (input: RepairInput): Promise<PinRepair> =>
      whileHeartbeating(async () => {
        const repair = await repairPins(deps, input, cancellationSignal())
        if (repair.failing.length === 0 && repair.short.length === 0) await markRepaired(database, 'pins')
        return repair
      }),

    /** Safe to retry: the bytes come from the record, so every attempt of a day pins the same block under the same CID. */
    pinReceipt: ({ slug }: { slug: string }): Promise<{ cid: string }> =>
      whileHeartbeating(async () => ({ cid: await pinProof(slug) })),

    /**
     * Checks the audit log since its last anchor, and pins its head. Safe to retry: a head that was kept is pinned as it was.
     * `audit_log_broken`: nothing is pinned.
     */
    pinAuditHead: (input?: AnchorInput): Promise<{ sequence: number; cid: string }> =>
      whileHeartbeating(async () => {
        const { sequence, cid } = await keepHead(input)
        await pinBundle(cid, cancellationSignal())
        return { sequence, cid }
      }),
  }
}

export type PinActivities = ReturnType<typeof createPinActivities>
