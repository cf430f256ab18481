import { parseAnyReceipt } from '@perigee/core/receipt'
import { readLogs } from '@perigee/core/receipt/gather'
import type { Hex } from 'viem'
import type { WebConfig } from '../config/WebConfig.js'
import { createRpc, fetchFromIpfs } from './createSources.js'

const windowBlocks = 5000 // public nodes search this many in one call
const mostEvents = 10_000
const mostReceipts = 3

/**
 * The collateral of the newest published receipts, if it is not `ownCid`. It is found on the chain and fetched from
 * IPFS, without the service. Anyone may have published it, but only the vendor can have signed it. Null when there is
 * none, or none can be fetched.
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
    // Without node or gateway this page knows of nothing newer, and says so.
  }
  return null
}

/** An event may name anything; what is not a receipt is ignored. */
async function collateralOf(config: WebConfig, cid: string): Promise<string | null> {
  try {
    return parseAnyReceipt(await fetchFromIpfs(config, cid)).signer.collateralCid
  } catch {
    return null
  }
}
