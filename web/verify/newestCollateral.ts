import { parseReceipt } from '@perigee/core/receipt'
import { readLogs } from '@perigee/core/receipt/gather'
import type { Hex } from 'viem'
import type { WebConfig } from '../config/WebConfig.js'
import { createRpc, fetchFromIpfs } from './createSources.js'

const windowBlocks = 5000 // public nodes search this many in one call
const mostEvents = 10_000
const mostReceipts = 3

/**
 * The collateral that the newest published receipts were judged with, if it is another than `ownCid`. Found on the
 * chain and fetched from IPFS, so that the service need not be asked; whoever published it, only the vendor can have
 * signed it. Null when there is none, or none to be had.
 */
export async function newestCollateral(config: WebConfig, ownCid: string): Promise<Uint8Array | null> {
  if (config.contractAddress === null) return null
  try {
    const rpc = createRpc(config)
    const latest = Number(await rpc('eth_blockNumber', []))
    const fromBlock = Math.max(0, latest - windowBlocks)
    const contract = config.contractAddress as Hex
    const logs = await readLogs(rpc, { contract, fromBlock, toBlock: latest }, mostEvents)
    for (const { ipfsCid } of logs.slice(-mostReceipts).reverse()) {
      const cid = await collateralOf(config, ipfsCid)
      if (cid === ownCid) return null // the newest receipts use the same
      if (cid !== null) return await fetchFromIpfs(config, cid, 'collateral')
    }
  } catch {
    // A node or gateway that does not answer: then this page knows of nothing newer, and says so.
  }
  return null
}

/** Somebody's event may name anything: what is no receipt is passed over. */
async function collateralOf(config: WebConfig, cid: string): Promise<string | null> {
  try {
    return parseReceipt(await fetchFromIpfs(config, cid)).signer.collateralCid
  } catch {
    return null
  }
}
