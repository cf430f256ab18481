import type { Hex } from '../../bytes/index.js'
import { birthHash } from '../subjectOf.js'
import { expectedContracts } from '../chain/expectedContracts.js'
import { quantity, type PublishedLog } from '../chain/readLogs.js'
import { readChainId, readHead, readNumber } from '../chain/readNumber.js'
import { readReleases } from '../chain/readReleases.js'
import { createRowMaker, type Named, type WalletSources } from './createRowMaker.js'
import { createTally } from './createTally.js'
import { readWalletEvents, type WalletEvents } from './readWalletEvents.js'
import type { CheckWalletOptions, WalletVerdict } from './types.js'

/** Receipts that are fetched and verified at the same time. */
const atOnce = 8
const progressEvery = 100
/** More than any wallet has sent. */
const mostTransactions = 10_000_000

/**
 * Whether every transaction of a wallet has a receipt that verifies, and what else a stranger should know about it: all
 * from one node and any gateway. Memory holds a few hundred bytes for each event, and the evidence of eight receipts.
 */
export async function checkWallet(
  address: Hex,
  sources: WalletSources,
  options: CheckWalletOptions,
): Promise<WalletVerdict> {
  const { rpc } = sources
  const { onProgress = () => undefined } = options
  const wallet = address.toLowerCase() as Hex
  const chainId = await readChainId(rpc)
  const expected = expectedContracts(chainId, options)
  const contracts = expected.map(({ contract }) => contract)
  const anchors = options.contract
    ? { ...options.anchors, contracts: contracts.map((address) => ({ chainId, address })) }
    : options.anchors
  const { fromBlock: wanted = 0 } = options
  const toBlock = await readHead(rpc)
  const transactions = await readNumber(rpc, 'eth_getTransactionCount', [wallet, quantity(toBlock)], mostTransactions)
  onProgress(`looking for events of ${contracts.join(', ')} on chain ${chainId} about ${wallet}`)
  const walks = expected.map(({ contract, madeIn }) => ({
    contract,
    wallet,
    fromBlock: Math.max(madeIn, wanted),
    toBlock,
  }))
  const events = await readWalletEvents(rpc, walks, onProgress)
  const births = events.get(birthHash(wallet)) ?? []
  const releases = events.size === 0 ? null : await readReleases(sources, { anchors, onProgress }, toBlock)
  const makeRow = createRowMaker(sources, { chainId, toBlock, anchors, releases, births }, options)

  const fromBlock = Math.min(...walks.map((walk) => walk.fromBlock))
  const searchedAll = expected.every(({ madeIn }) => madeIn >= wanted)
  const tally = createTally({ wallet, chainId, contracts, fromBlock, toBlock }, searchedAll)
  const named = [...receiptsOf(events, birthHash(wallet))]
  for (let start = 0; start < named.length; start += atOnce) {
    const rows = await Promise.all(named.slice(start, start + atOnce).map(makeRow))
    for (const row of rows) {
      tally.add(row)
      await options.onRow?.(row)
    }
    const done = start + rows.length
    if (done % progressEvery < rows.length || done === named.length)
      onProgress(`${done} of ${named.length} receipts checked`)
  }
  return tally.verdict(transactions)
}

/** Births first, then by the order of the chain: each receipt once, with all events for the hash it is published for. */
function* receiptsOf(events: WalletEvents, birth: Hex): Generator<Named> {
  const hashes = [...events.keys()].sort((a, b) => Number(b === birth) - Number(a === birth))
  for (const txHash of hashes) {
    const logs = events.get(txHash) as [PublishedLog, ...PublishedLog[]]
    const kind = txHash === birth ? 'birth' : 'transaction'
    for (const cid of new Set(logs.map(({ ipfsCid }) => ipfsCid))) yield { cid, kind, logs }
  }
}
