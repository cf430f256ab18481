import type { DataSource } from 'typeorm'
import { cidOf, ServiceError } from '@perigee/core'
import { parseAnyReceipt } from '@perigee/core/receipt'
import type { Chain } from '../../clients/chain/createChain.js'
import { createCollateralAges } from '../../clients/collateral/createCollateralAges.js'
import type { EvidenceVerifier } from '../../clients/enclave/EvidenceVerifier.js'
import type { PinningNode } from '../../clients/ipfs/PinningNode.js'
import { readVerified } from '../../clients/ipfs/readVerified.js'
import {
  loadProofRecord,
  renewVerification,
  storeBundlesOnce,
  type ProofRecord,
  type Verification,
} from '../../database/index.js'
import { assembleReceipt } from './assembleReceipt.js'

export interface RenewalDeps {
  database: DataSource
  evidence: Pick<EvidenceVerifier, 'verifyQuoteAgain'>
  chain: Pick<Chain, 'publishedCid'> & { config: Pick<Chain['config'], 'contract'> }
  nodes: readonly PinningNode[]
}

/**
 * Readers judge a receipt with collateral of its block's week, so a quote whose receipt is assembled later than on the day of its
 * signature is verified again, with the newest. A receipt for a contract that is not ours any more is made for ours. Both are
 * recorded before anything is pinned: whatever crashes, the next attempt makes the same bytes.
 */
export function createVerificationRenewal({ database, evidence, chain, nodes }: RenewalDeps) {
  const ages = createCollateralAges(database)
  const { contract } = chain.config

  /**
   * The record, renewed if its collateral is not of the day or its contract is not ours. A platform that was revoked since fails
   * with the verifier's code.
   */
  return async (record: ProofRecord, birthCid: string | null): Promise<ProofRecord> => {
    const { attestation } = record
    const { anchors, collateralCid } = attestation
    const isFresh = await ages.isFresh(collateralCid)
    const isOurs = anchors.publication.contract === contract
    if (isFresh && isOurs) return record
    const published = await verificationOfPublished(record, birthCid)
    if (published) return renew(record, published)
    const next = isFresh ? null : await verifyAgain(attestation.quote)
    if (isOurs && next?.collateralCid === collateralCid) return record
    return renew(record, { ...next, anchors: { ...anchors, publication: { ...anchors.publication, contract } } })
  }

  async function renew({ attestation }: ProofRecord, next: Parameters<typeof renewVerification>[3]) {
    await renewVerification(database, attestation.slug, attestation, next)
    const renewed = await loadProofRecord(database, attestation.slug)
    if (!renewed) throw new ServiceError('proof_not_found', 'there is no such proof')
    return renewed
  }

  async function verifyAgain(quote: ProofRecord['attestation']['quote']): Promise<Verification> {
    const { verdict, collateralCid, collateralBytes } = await evidence.verifyQuoteAgain(quote)
    await storeBundlesOnce(database, [{ cid: collateralCid, kind: 'collateral', bytes: collateralBytes }])
    if (await ages.isOutdated(collateralCid)) {
      throw new ServiceError('collateral_stale', 'the newest collateral is too old for a receipt; try again later')
    }
    const { verifiedAt, tcbStatus, advisoryIds } = verdict
    return { collateralCid, verifiedAt, tcbStatus, advisoryIds: [...advisoryIds], issuedAt: new Date().toISOString() }
  }

  /**
   * A record that was restored or recovered does not know that its receipt is on the chain. A second event with another CID would
   * contradict the first, so what that receipt says counts.
   */
  async function verificationOfPublished(record: ProofRecord, birthCid: string | null) {
    const { publication, wallet, attestation } = record
    const { txHash, createdAt } = publication
    const { anchors } = attestation
    const about = { wallet: wallet.address, txHash, createdAt: new Date(createdAt) }
    const cid = await chain.publishedCid({ ...about, contract: anchors.publication.contract })
    if (cid === null) return null
    const { signer, issuedAt, verification } = parseAnyReceipt(await readBlock(cid))
    const { collateralCid, verifiedAt, tcbStatus, advisoryIds } = signer
    const place = { ...anchors, publication: verification.publication }
    const found = { collateralCid, verifiedAt, tcbStatus, advisoryIds, issuedAt, anchors: place }
    const same = { ...record, attestation: { ...attestation, ...found } } as ProofRecord
    if (cidOf(new TextEncoder().encode(assembleReceipt(same, birthCid))) !== cid) {
      throw new ServiceError('cid_mismatch', 'the chain names a receipt that differs from the record', { cid })
    }
    if (collateralCid === attestation.collateralCid) return found
    const bytes = await readBlock(collateralCid)
    await storeBundlesOnce(database, [{ cid: collateralCid, kind: 'collateral', bytes }])
    return found
  }

  async function readBlock(cid: string): Promise<Uint8Array> {
    const sources = nodes.map((node) => async (cid: string) => (await node.read?.(cid)) ?? null)
    const bytes = await readVerified(cid, sources)
    if (bytes) return bytes
    const message = 'a block that the chain or its receipt names is on none of our nodes, or one of them did not answer'
    throw new ServiceError('pin_unavailable', message, { cid })
  }
}
