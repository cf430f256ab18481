import { parseReceipt } from '@perigee/core/receipt'
import { createPublicClient, http, type Hex } from 'viem'
import type { WebConfig } from '../config/WebConfig.js'
import { fetchCid } from './fetchCid.js'
import { attestationPublished } from '@perigee/core/proof'

const windowBlocks = 5000n // as many as public nodes search at once
const mostReceipts = 3

/**
 * The collateral that the newest published receipts were judged with, if it is another than `ownCid`. Found on the
 * chain and fetched from IPFS, so that the service need not be asked; whoever published it, only the vendor can have
 * signed it. Null when there is none, or none to be had.
 */
export async function newestCollateral(config: WebConfig, ownCid: string): Promise<Uint8Array | null> {
  if (config.contractAddress === null) return null
  try {
    const client = createPublicClient({ transport: http(config.rpcUrl) })
    const latest = await client.getBlockNumber({ cacheTime: 0 })
    const fromBlock = latest > windowBlocks ? latest - windowBlocks : 0n
    const address = config.contractAddress as Hex
    const logs = await client.getLogs({
      address,
      event: attestationPublished,
      fromBlock,
      toBlock: latest,
      strict: true,
    })
    for (const { args } of logs.slice(-mostReceipts).reverse()) {
      const cid = await collateralOf(config, args.ipfsCid)
      if (cid === ownCid) return null // the newest receipts use the same
      if (cid !== null) return await fetchCid(config, cid)
    }
  } catch {
    // A node or gateway that does not answer: then this page knows of nothing newer, and says so.
  }
  return null
}

/** Somebody's event may name anything: what is no receipt is passed over. */
async function collateralOf(config: WebConfig, cid: string): Promise<string | null> {
  try {
    return parseReceipt(await fetchCid(config, cid)).signer.collateralCid
  } catch {
    return null
  }
}
