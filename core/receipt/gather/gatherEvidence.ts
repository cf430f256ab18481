import type { Hex } from '../../bytes/index.js'
import { ServiceError } from '../../errors/index.js'
import { birthHash, subjectOf } from '../subjectOf.js'
import { readReceipt } from '../schema/parseReceipt.js'
import type { TrustAnchors } from '../anchors/TrustAnchors.js'
import type { PublishedEvent, ReceiptEvidence, StepName } from '../verify/index.js'
import { compareEvents, compareReceipt, parseProofClaim, type ProofClaim } from './ProofClaim.js'
import { expectedContracts } from '../chain/expectedContracts.js'
import { readEvents } from '../chain/readEvents.js'
import type { Rpc } from '../chain/readLogs.js'
import { readChainId, readHead } from '../chain/readNumber.js'
import { readReleases } from '../chain/readReleases.js'

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
  /** Searches for events from this block on only. Without it from the contract's own block, which the anchors may name. */
  fromBlock?: number | undefined
  skip?: readonly StepName[]
  /** Ends a search of the chain: what needs it then counts as missing. */
  signal?: AbortSignal | undefined
  onProgress?: (line: string) => void
}

export interface Gathered {
  evidence: ReceiptEvidence
  /** What could not be fetched, or was not searched, for people. The steps that need what is missing fail. */
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
  const receipt = readReceipt(evidence.receipt)
  if (receipt === null) return { evidence, notes } // the first step says why
  if (claim) compareReceipt(claim, receipt)
  const needsBirth = receipt.version !== 'perigee-birth/1' && !skip.includes('birth')

  const attempt = async (what: keyof Missing, about: ReceiptEvidence, prefix: string, work: () => Promise<void>) => {
    await work().catch((error: unknown) => {
      if (!(error instanceof ServiceError)) throw error
      notes.push(`${prefix}${labels[what]}: ${error.message} (${error.code})`)
      about.missing = { ...about.missing, [what]: error.message }
    })
  }
  const fetchCollateral = async (about: ReceiptEvidence, cid: string, prefix: string) => {
    if (skip.includes('collateral_cid') && skip.includes('quote')) return
    await attempt('collateral', about, prefix, async () => {
      about.collateral = await sources.fetchCid(cid, 'collateral')
    })
  }

  await fetchCollateral(evidence, receipt.signer.collateralCid, '')
  let births: EventsFound | undefined
  if (!skip.includes('onchain_event')) {
    await attempt('events', evidence, '', async () => {
      const { txHash, wallet } = subjectOf(receipt)
      const birth = birthHash(wallet)
      const asked = [...(evidence.events ? [] : [txHash]), ...(needsBirth ? [birth] : [])]
      if (asked.length === 0) return
      const found = await findEvents(asked, sources.rpc, options)
      if (evidence.events === undefined) Object.assign(evidence, only(found, txHash))
      births = only(found, birth)
    })
    if (evidence.searchedFrom !== undefined)
      notes.push(`events: blocks before ${evidence.searchedFrom} were not searched`)
  }
  if (claim) compareEvents(claim, evidence.events ?? [])
  if (needsBirth) {
    const { birthCid } = receipt.signer
    await attempt('birth', evidence, '', async () => {
      const birth: ReceiptEvidence = { receipt: await sources.fetchCid(birthCid, 'birth'), cid: birthCid, ...births }
      evidence.birth = birth
      const born = readReceipt(birth.receipt)
      if (born) await fetchCollateral(birth, born.signer.collateralCid, 'birth: ')
    })
  }
  if (!skip.includes('release_list')) {
    await attempt('releases', evidence, '', async () => {
      const { events = [], birth } = evidence
      const blocks = [...events, ...(birth?.events ?? [])].map(({ blockNumber }) => blockNumber)
      // Without an event the newest list counts.
      const toBlock = events.length > 0 ? Math.max(...blocks) : await readHead(sources.rpc)
      evidence.releases = await readReleases(sources, options, toBlock)
    })
  }
  return { evidence, notes }
}

type Missing = NonNullable<ReceiptEvidence['missing']>

const labels = { collateral: 'collateral', events: 'events', releases: 'lists of builds', birth: 'birth' }

type EventsFound = { events: readonly PublishedEvent[] } & Pick<ReceiptEvidence, 'searchedFrom'>

const only = ({ events, ...rest }: EventsFound, hash: Hex): EventsFound => ({
  ...rest,
  events: events.filter(({ txHash }) => txHash === hash),
})

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
      return { receipt: await sources.fetchCid(claim.ipfsCid, 'receipt'), cid: claim.ipfsCid, claim }
    }
    case 'transaction': {
      const { events, ...rest } = await findEvents([target.txHash], sources.rpc, options)
      const cid = events[0]?.ipfsCid
      if (cid === undefined) throw new ServiceError('event_missing', `no event for ${target.txHash} was found`)
      return { receipt: await sources.fetchCid(cid, 'receipt'), cid, events, ...rest }
    }
  }
}

/**
 * All events for these hashes, of each contract that the reader expects on the node's chain. A node that limits ranges is asked
 * part by part, never from a block that the service names.
 */
async function findEvents(txHashes: readonly Hex[], rpc: Rpc, options: GatherOptions): Promise<EventsFound> {
  const { fromBlock: wanted = 0, signal, onProgress } = options
  const chainId = await readChainId(rpc)
  const events: PublishedEvent[] = []
  let isPartial = false
  for (const { contract, madeIn } of expectedContracts(chainId, options)) {
    onProgress?.(`looking for events of ${contract} on chain ${chainId}`)
    const fromBlock = Math.max(madeIn, wanted)
    events.push(...(await readEvents(rpc, { chainId, contract, txHashes, fromBlock, signal, onProgress })))
    isPartial ||= fromBlock > madeIn
  }
  return { events, ...(isPartial && { searchedFrom: wanted }) }
}
