import type { Hex } from '../../bytes/index.js'
import { ServiceError } from '../../errors/index.js'
import { subjectOf, type AnyReceipt } from '../AnyReceipt.js'
import { parseAnyReceipt } from '../parseReceipt.js'
import type { TrustAnchors } from '../TrustAnchors.js'
import type { PublishedEvent, ReceiptEvidence, StepName } from '../verify/index.js'
import { compareEvents, compareReceipt, parseProofClaim, type ProofClaim } from './ProofClaim.js'
import { readChainId, readEvents } from './readEvents.js'
import type { Rpc } from './readLogs.js'
import { readReleases } from './readReleases.js'

/** What is to be verified. */
export type Target =
  | { kind: 'bytes'; receipt: Uint8Array }
  | { kind: 'cid'; cid: string }
  | { kind: 'transaction'; txHash: Hex }
  | { kind: 'proof'; slug: string }

/** Where evidence comes from. None of it is trusted. A source that fails throws a ServiceError. */
export interface Sources {
  /** The bytes a CID names, already hashed. `what` is for messages. */
  fetchCid(cid: string, what: string): Promise<Uint8Array>
  /** The service's answer to `GET /proof/:slug`. */
  readProof(slug: string): Promise<unknown>
  rpc: Rpc
}

export interface GatherOptions {
  anchors: TrustAnchors
  /** Replaces the anchors' contract. */
  contract?: Hex | undefined
  fromBlock?: number | undefined
  skip?: readonly StepName[]
  onProgress?: (line: string) => void
}

export interface Gathered {
  evidence: ReceiptEvidence
  /** What could not be fetched, for people: the steps that need it fail. */
  notes: string[]
}

/**
 * Fetches what the steps of `verifyReceipt` need. A missing receipt is an error; anything else missing fails its own
 * step. Throws `claim_mismatch` when the service's answer does not fit what was found.
 */
export async function gatherEvidence(target: Target, sources: Sources, options: GatherOptions): Promise<Gathered> {
  const { claim, ...evidence } = await findReceipt(target, sources, options)
  const { skip = [] } = options
  const notes: string[] = []
  const receipt = readable(evidence.receipt)
  if (receipt === null) return { evidence, notes } // the first step says why
  if (claim) compareReceipt(claim, receipt)
  const attempt = async (what: string, work: () => Promise<void>) => {
    await work().catch((error: unknown) => {
      if (!(error instanceof ServiceError)) throw error
      notes.push(`${what}: ${error.message} (${error.code})`)
    })
  }
  const gatherAround = async (found: ReceiptEvidence, about: AnyReceipt, prefix: string) => {
    if (!skip.includes('collateral_cid') || !skip.includes('quote')) {
      await attempt(`${prefix}collateral`, async () => {
        found.collateral = await sources.fetchCid(about.signer.collateralCid, 'collateral')
      })
    }
    if (!skip.includes('onchain_event') && found.events === undefined) {
      // A birth may be much older than what `fromBlock` is meant for: it is searched for from the beginning, if possible.
      const [fromBlock, hint] =
        about === receipt ? [options.fromBlock, claim?.eventBlock] : [undefined, options.fromBlock ?? null]
      await attempt(`${prefix}event`, async () => {
        found.events = await findEvents(subjectOf(about).txHash, sources.rpc, { ...options, fromBlock }, hint)
      })
    }
  }
  await gatherAround(evidence, receipt, '')
  if (claim) compareEvents(claim, evidence.events ?? [])
  if (receipt.version !== 'perigee-birth/1' && !skip.includes('birth')) {
    const { birthCid } = receipt.signer
    await attempt('birth', async () => {
      const birth: ReceiptEvidence = { receipt: await sources.fetchCid(birthCid, 'birth'), cid: birthCid }
      evidence.birth = birth
      const born = readable(birth.receipt)
      if (born) await gatherAround(birth, born, 'birth: ')
    })
  }
  if (!skip.includes('release_list')) {
    await attempt('lists of builds', async () => {
      const { events = [], birth } = evidence
      const blocks = [...events, ...(birth?.events ?? [])].map(({ blockNumber }) => blockNumber)
      // Without an event the newest list counts.
      const toBlock = events.length > 0 ? Math.max(...blocks) : Number(await sources.rpc('eth_blockNumber', []))
      evidence.releases = await readReleases(sources, options, toBlock)
    })
  }
  return { evidence, notes }
}

interface Found extends ReceiptEvidence {
  claim?: ProofClaim
}

async function findReceipt(target: Target, sources: Sources, options: GatherOptions): Promise<Found> {
  switch (target.kind) {
    case 'bytes':
      return { receipt: target.receipt }
    case 'cid':
      return { receipt: await sources.fetchCid(target.cid, 'receipt'), cid: target.cid }
    case 'proof': {
      const claim = parseProofClaim(await sources.readProof(target.slug), target.slug)
      return { receipt: await sources.fetchCid(claim.cid, 'receipt'), cid: claim.cid, claim }
    }
    case 'transaction': {
      const events = await findEvents(target.txHash, sources.rpc, options)
      const cid = events[0]?.ipfsCid
      if (cid === undefined) throw new ServiceError('event_missing', `no event for ${target.txHash} was found`)
      return { receipt: await sources.fetchCid(cid, 'receipt'), cid, events }
    }
  }
}

async function findEvents(
  txHash: Hex,
  rpc: Rpc,
  { anchors, contract: given, fromBlock = 0, onProgress = () => undefined }: GatherOptions,
  hintBlock?: number | null,
): Promise<PublishedEvent[]> {
  const chainId = await readChainId(rpc)
  // The receipt names a contract too, but only one that the reader expects counts.
  const contract = given ?? anchors.contracts.find((known) => known.chainId === chainId)?.address
  if (contract === undefined) {
    throw new ServiceError('evidence_missing', `the trust anchors name no contract on chain ${chainId}`, { chainId })
  }
  onProgress(`looking for events of ${contract} on chain ${chainId}`)
  try {
    return await readEvents(rpc, { chainId, contract, txHash, fromBlock })
  } catch (error) {
    // Public nodes refuse to search a whole chain. The hint only narrows the search; the event is the node's.
    if (!(error instanceof ServiceError) || typeof hintBlock !== 'number' || hintBlock <= fromBlock) throw error
    onProgress(`  ${error.message}; trying from block ${hintBlock}`)
    return readEvents(rpc, { chainId, contract, txHash, fromBlock: hintBlock })
  }
}

function readable(bytes: Uint8Array): AnyReceipt | null {
  try {
    return parseAnyReceipt(bytes)
  } catch {
    return null
  }
}
