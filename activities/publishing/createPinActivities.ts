import { cancellationSignal, log } from '@temporalio/activity'
import { ApplicationFailure, ApplicationFailureCategory } from '@temporalio/common'
import type { DataSource } from 'typeorm'
import { cidOf, ServiceError } from '@perigee/core'
import { createCollateralAges } from '../../clients/collateral/createCollateralAges.js'
import type { EvidenceVerifier } from '../../clients/enclave/EvidenceVerifier.js'
import { createPublishingMeter, type PublishingMeter } from '../../clients/createPublishingMeter.js'
import { createBlockPinner } from '../../clients/ipfs/createBlockPinner.js'
import type { Gateway } from '../../clients/ipfs/createGateway.js'
import type { PinningNode } from '../../clients/ipfs/PinningNode.js'
import { repairPins, type PinRepair, type RepairInput } from '../../clients/ipfs/repairPins.js'
import {
  findBirth,
  loadProofRecord,
  markPinned,
  renewVerification,
  storeBundlesOnce,
  type ProofRecord,
} from '../../database/index.js'
import { assembleReceipt } from './assembleReceipt.js'
import { whileHeartbeating } from './whileHeartbeating.js'

export interface PinDeps {
  database: DataSource
  /** For a receipt that is published later than on the day of its signature. */
  evidence: Pick<EvidenceVerifier, 'verifyQuoteAgain'>
  nodes: readonly PinningNode[]
  /** The number of nodes that must hold a block before it counts as pinned. */
  required: number
  /** A receipt must be seen here too before it counts. */
  publicGateway?: Gateway | undefined
  meter?: PublishingMeter
}

export function createPinActivities({ meter = createPublishingMeter(), publicGateway, ...rest }: PinDeps) {
  const deps = { ...rest, meter }
  const { database, evidence } = deps
  const ages = createCollateralAges(database)
  const { pinBlock, pinBundle } = createBlockPinner(deps, log)

  async function pinProof(slug: string): Promise<string> {
    const found = await loadRecord(slug)
    if (found.publication.cid) return found.publication.cid
    const record = await withFreshCollateral(found)
    const { attestation } = record
    const signal = cancellationSignal()
    const birthCid = record.transaction && (await birthCidOf(record.wallet.id))
    const receipt = assembleReceipt(record, birthCid)
    const bytes = new TextEncoder().encode(receipt)
    const cid = cidOf(bytes)
    // What a receipt names must be pinned before the receipt is.
    await pinBundle(attestation.collateralCid, signal)
    await pinBundle(attestation.trustAnchorsCid, signal)
    const nodes = await pinBlock(cid, bytes, signal)
    await publicGateway?.see(cid, signal)
    await markPinned(database, slug, { cid, receipt, nodes })
    return cid
  }

  async function loadRecord(slug: string): Promise<ProofRecord> {
    const record = await loadProofRecord(database, slug)
    if (!record) throw new ServiceError('proof_not_found', 'there is no such proof')
    return record
  }

  /**
   * Readers judge a receipt with collateral of its block's week, so one that is published later than on the day of its signature is
   * verified again, with the newest. The new verdict is recorded first: whatever crashes, the next attempt makes the same bytes.
   * A platform that was revoked since stops here with the verifier's code.
   */
  async function withFreshCollateral(record: ProofRecord): Promise<ProofRecord> {
    const { attestation } = record
    const { slug, quote } = attestation
    if (await ages.isFresh(attestation.collateralCid)) return record
    const { verdict, collateralCid, collateralBytes } = await evidence.verifyQuoteAgain(quote)
    await storeBundlesOnce(database, [{ cid: collateralCid, kind: 'collateral', bytes: collateralBytes }])
    if (await ages.isOutdated(collateralCid)) {
      throw new ServiceError('collateral_stale', 'the newest collateral is too old for a receipt; try again later')
    }
    if (collateralCid === attestation.collateralCid) return record // the vendor has issued nothing newer
    await renewVerification(database, slug, attestation, {
      collateralCid,
      verifiedAt: verdict.verifiedAt,
      tcbStatus: verdict.tcbStatus,
      advisoryIds: [...verdict.advisoryIds],
      issuedAt: new Date().toISOString(),
    })
    return loadRecord(slug)
  }

  /** A signing receipt names its wallet's birth, so the birth must be public first. */
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
      whileHeartbeating(() => repairPins(deps, input, cancellationSignal())),

    /** Safe to retry: the bytes come from the record, so every attempt of a day pins the same block under the same CID. */
    pinReceipt: ({ slug }: { slug: string }): Promise<{ cid: string }> =>
      whileHeartbeating(async () => ({ cid: await pinProof(slug) })),
  }
}

export type PinActivities = ReturnType<typeof createPinActivities>
