import { ServiceError } from '../../errors/index.js'
import type { PublishedLog } from '../chain/readLogs.js'
import { parseAnyReceipt } from '../schema/parseReceipt.js'
import { claimOf, createContradictions, type Contradiction } from './createContradictions.js'
import type { WalletSources } from './createRowMaker.js'
import { walkEvents, type Walk } from '../chain/walkEvents.js'

const atOnce = 8
/** More than this are counted only. */
const mostKept = 1000

export interface ContradictionReport {
  events: number
  /** The last block whose events were all read. Null before the first. */
  searchedTo: number | null
  /** False when the search was stopped, or met its limit, before the end. */
  isComplete: boolean
  contradictions: Contradiction[]
  /** Receipts that could not be fetched or read, or are about something else than their event. */
  unread: { cid: string; why: string }[]
  /** Contradictions and unread receipts beyond the first thousand of each. */
  more: number
}

export interface SearchOptions {
  /** Stops the search; what was found so far is returned. */
  signal?: AbortSignal
  /** Called often, with what was found so far. */
  onProgress?: (report: ContradictionReport) => void
  /** The search ends here: memory holds a few hashes for each event. */
  mostEvents?: number
}

/**
 * Entropy samples that two receipts name, and receipts that contradict one another, among all that a contract's events
 * name. Receipts are read, not verified.
 */
export async function findContradictions(
  sources: WalletSources,
  walk: Walk,
  { signal, onProgress, mostEvents = Infinity }: SearchOptions = {},
): Promise<ContradictionReport> {
  const contradictionsOf = createContradictions()
  const report: ContradictionReport = {
    events: 0,
    searchedTo: null,
    isComplete: false,
    contradictions: [],
    unread: [],
    more: 0,
  }
  const keep = <T>(list: T[], item: T) => (list.length < mostKept ? list.push(item) : (report.more += 1))

  const read = async (log: PublishedLog) => {
    try {
      const claim = claimOf(parseAnyReceipt(await sources.fetchCid(log.ipfsCid, 'receipt')), log.ipfsCid)
      if (claim.wallet === log.wallet && claim.txHash === log.txHash) return claim
      return { cid: log.ipfsCid, why: 'it is about something else than its event' }
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error
      return { cid: log.ipfsCid, why: `${error.message} (${error.code})` }
    }
  }

  for await (const { found: logs, toBlock } of walkEvents(sources.rpc, walk)) {
    for (let start = 0; start < logs.length; start += atOnce) {
      if (signal?.aborted || report.events >= mostEvents) return report
      const batch = logs.slice(start, start + atOnce)
      for (const found of await Promise.all(batch.map(read))) {
        if ('why' in found) keep(report.unread, found)
        else for (const contradiction of contradictionsOf(found)) keep(report.contradictions, contradiction)
      }
      report.events += batch.length
      onProgress?.({ ...report })
    }
    report.searchedTo = toBlock
    onProgress?.({ ...report })
    if (signal?.aborted) return report
  }
  report.isComplete = true
  return report
}
