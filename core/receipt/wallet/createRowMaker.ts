import { sha256 } from '@noble/hashes/sha2'
import { toHex, type Hex } from '../../bytes/index.js'
import { orNothing, ServiceError } from '../../errors/index.js'
import type { ReleaseEvidence, VerifiedLists } from '../../releases/index.js'
import { subjectOf } from '../subjectOf.js'
import type { AnyReceipt } from '../AnyReceipt.js'
import { fetchOnce } from '../gather/fetchCid.js'
import type { Sources } from '../gather/gatherEvidence.js'
import { withBlock } from '../chain/readEvents.js'
import { unusable, type PublishedLog } from '../chain/readLogs.js'
import { parseAnyReceipt, readReceipt } from '../schema/parseReceipt.js'
import type { TrustAnchors } from '../anchors/TrustAnchors.js'
import { verifyReceipt, type PublishedEvent, type ReceiptEvidence, type ReceiptVerdict } from '../verify/index.js'
import { claimOf } from './createContradictions.js'
import type { CheckWalletOptions, WalletRow } from './types.js'

export type WalletSources = Pick<Sources, 'fetchCid' | 'rpc'>

/** What all receipts of a wallet share. */
export interface Shared {
  chainId: number
  /** The last block of the walk. */
  toBlock: number
  anchors: TrustAnchors
  releases: ReleaseEvidence | null
  births: readonly PublishedLog[]
}

/** A receipt, and the events for its hash: also those that name another receipt. */
export interface Named {
  cid: string
  kind: WalletRow['kind']
  logs: readonly [PublishedLog, ...PublishedLog[]]
}

/**
 * Makes the row of each receipt of one wallet. Every receipt is verified in full; births, collateral and lists are
 * fetched once, and births and lists are verified once. Nothing of a receipt is kept but its row.
 */
export function createRowMaker(sources: WalletSources, shared: Shared, options: CheckWalletOptions) {
  const { rpc } = sources
  const { chainId, toBlock, anchors, releases } = shared
  const fetchShared = fetchOnce((cid: string, what: string) => sources.fetchCid(cid, what))
  const verdicts = new Map<string, Promise<ReceiptVerdict>>()
  const lists: VerifiedLists = new Map()
  const place = ({ ipfsCid, transactionHash, blockHash }: PublishedLog) => `${ipfsCid} ${transactionHash} ${blockHash}`
  const birthPlaces = shared.births.map(place)
  const withBlocks = (logs: readonly PublishedLog[]): Promise<PublishedEvent[]> =>
    Promise.all(logs.map((log) => withBlock(rpc, log, chainId, toBlock)))
  let births: Promise<PublishedEvent[]> | undefined

  const keyOf = ({ cid, logs }: Named): Hex => {
    const places = [cid, ...logs.map(place), 'births', ...birthPlaces]
    return toHex(sha256(new TextEncoder().encode(places.join('\n'))))
  }

  return async function makeRow(named: Named): Promise<WalletRow> {
    const key = keyOf(named)
    const { cid, kind, logs } = named
    const known = options.finished?.get(key)
    if (known) return known
    const row: WalletRow = {
      key,
      cid,
      txHash: logs[0].txHash,
      kind,
      blockNumber: (logs.find(({ ipfsCid }) => ipfsCid === cid) ?? logs[0]).blockNumber,
      verified: false,
      failure: null,
      simulated: null,
      chainId: null,
      nonce: null,
      sample: null,
      delay: null,
      included: null,
    }
    try {
      return { ...row, ...(await verify(named)) }
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error
      return { ...row, failure: `${error.message} (${error.code})` }
    }
  }

  async function verify({ cid, logs }: Named): Promise<Partial<WalletRow>> {
    const [receipt, events] = await Promise.all([sources.fetchCid(cid, 'receipt'), withBlocks(logs)])
    const about = parseAnyReceipt(receipt)
    const evidence = await evidenceOf(about, { receipt, cid, events, releases: releases ?? undefined })
    const birthCid = about.version === 'perigee-birth/1' ? null : about.signer.birthCid
    const { now, amdCrls, verifyBeacon, minConfirmations } = options
    // Receipts that name births which the chain does not must not fill the memory with verdicts.
    const known = shared.births[0]?.ipfsCid === birthCid ? verdicts : undefined
    const settings = { anchors, now, lists, amdCrls, verifyBeacon, minConfirmations, births: known }
    const verdict = await verifyReceipt(evidence, settings)
    const { kind, txHash, madeAt } = subjectOf(about)
    const failed = verdict.steps.find(({ status }) => status === 'fail')
    const { chainId: txChainId, nonce, sample } = claimOf(about, cid)
    const first = events.find(({ ipfsCid }) => ipfsCid === cid)
    return {
      kind,
      verified: verdict.verified,
      failure: failed === undefined ? null : `${failed.step}: ${failed.detail} (${failed.code ?? 'unknown'})`,
      simulated: verdict.simulated,
      chainId: txChainId,
      nonce,
      sample,
      delay: first === undefined ? null : first.blockTimestamp - madeAt,
      included: nonce === null || txChainId !== chainId ? null : await isIncluded(txHash),
    }
  }

  /** Adds the bytes around a receipt. What cannot be fetched is left out: its step fails. */
  async function evidenceOf(about: AnyReceipt, evidence: ReceiptEvidence): Promise<ReceiptEvidence> {
    const collateral = await orNothing(fetchShared(about.signer.collateralCid, 'collateral'))
    const found = { ...evidence, collateral }
    if (about.version === 'perigee-birth/1') return found
    const { birthCid: cid } = about.signer
    const receipt = await orNothing(fetchShared(cid, 'birth'))
    if (!receipt) return found
    births ??= withBlocks(shared.births)
    const birth: ReceiptEvidence = { receipt, cid, events: await births }
    const born = readReceipt(receipt)
    if (born) birth.collateral = await orNothing(fetchShared(born.signer.collateralCid, 'collateral'))
    return { ...found, birth }
  }

  async function isIncluded(txHash: Hex): Promise<boolean> {
    const found = await rpc('eth_getTransactionByHash', [txHash])
    if (found === null) return false
    const { hash, blockNumber } = Object(found) as { hash?: unknown; blockNumber?: unknown }
    if (String(hash).toLowerCase() !== txHash) throw unusable('another transaction than was asked for')
    return typeof blockNumber === 'string'
  }
}
