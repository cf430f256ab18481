import { sha256 } from '@noble/hashes/sha2'
import { toHex, type Hex } from '../../bytes/index.js'
import { ServiceError } from '../../errors/index.js'
import type { ReleaseEvidence, VerifiedLists } from '../../releases/index.js'
import { subjectOf } from '../subjectOf.js'
import type { AnyReceipt } from '../AnyReceipt.js'
import { fetchOnce } from '../gather/fetchCid.js'
import type { Sources } from '../gather/gatherEvidence.js'
import { withBlock } from '../chain/readEvents.js'
import { unusable, type PublishedLog } from '../chain/readLogs.js'
import { parseAnyReceipt } from '../schema/parseReceipt.js'
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
    const evidence = await evidenceOf(about, { receipt, cid, events, ...(releases && { releases }) })
    const birthCid = about.version === 'perigee-birth/1' ? null : about.signer.birthCid
    const verdict = await verifyReceipt(evidence, {
      anchors,
      now: options.now,
      lists,
      ...(options.amdCrls && { amdCrls: options.amdCrls }),
      ...(options.verifyBeacon && { verifyBeacon: options.verifyBeacon }),
      ...(options.minConfirmations !== undefined && { minConfirmations: options.minConfirmations }),
      // Receipts that name births which the chain does not must not fill the memory with verdicts.
      ...(shared.births[0]?.ipfsCid === birthCid && { births: verdicts }),
    })
    const failed = verdict.steps.find(({ status }) => status === 'fail')
    const { chainId: txChainId, nonce, sample } = claimOf(about, cid)
    const first = events.find(({ ipfsCid }) => ipfsCid === cid)
    return {
      kind: subjectOf(about).kind,
      verified: verdict.verified,
      failure: failed === undefined ? null : `${failed.step}: ${failed.detail} (${failed.code ?? 'unknown'})`,
      simulated: verdict.simulated,
      chainId: txChainId,
      nonce,
      sample,
      delay: first === undefined ? null : first.blockTimestamp - subjectOf(about).madeAt,
      included: nonce === null || txChainId !== chainId ? null : await isIncluded(subjectOf(about).txHash),
    }
  }

  /** Adds the bytes around a receipt. What cannot be fetched is left out: its step fails. */
  async function evidenceOf(about: AnyReceipt, evidence: ReceiptEvidence): Promise<ReceiptEvidence> {
    const collateral = await given(fetchShared(about.signer.collateralCid, 'collateral'))
    if (collateral) evidence.collateral = collateral
    if (about.version === 'perigee-birth/1') return evidence
    const birth = await given(fetchShared(about.signer.birthCid, 'birth'))
    if (!birth) return evidence
    births ??= withBlocks(shared.births)
    const found: ReceiptEvidence = { receipt: birth, cid: about.signer.birthCid, events: await births }
    const born = readable(birth)
    const around = born && (await given(fetchShared(born.signer.collateralCid, 'collateral')))
    if (around) found.collateral = around
    return { ...evidence, birth: found }
  }

  async function isIncluded(txHash: Hex): Promise<boolean> {
    const found = await rpc('eth_getTransactionByHash', [txHash])
    if (found === null) return false
    const { hash, blockNumber } = Object(found) as { hash?: unknown; blockNumber?: unknown }
    if (String(hash).toLowerCase() !== txHash) throw unusable('another transaction than was asked for')
    return typeof blockNumber === 'string'
  }
}

async function given<T>(asked: Promise<T>): Promise<T | null> {
  try {
    return await asked
  } catch (error) {
    if (error instanceof ServiceError) return null
    throw error
  }
}

function readable(bytes: Uint8Array): AnyReceipt | null {
  try {
    return parseAnyReceipt(bytes)
  } catch {
    return null
  }
}
