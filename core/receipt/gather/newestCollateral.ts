import { ServiceError } from '../../errors/index.js'
import { readReceipt } from '../schema/parseReceipt.js'
import type { Sources } from './gatherEvidence.js'
import { readLogs, type LogFilter } from '../chain/readLogs.js'
import { readHead } from '../chain/readNumber.js'

const windowBlocks = 5000 // public nodes search this many in one call
const mostEvents = 10_000
const mostReceipts = 3

/**
 * The collateral of the newest published receipts, if it is not `ownCid`. It is found on the chain and fetched from
 * IPFS, without the service. Anyone may have published it, but only the vendor can have signed it. Null when there is
 * none, or none can be fetched.
 */
export async function newestCollateral(
  { rpc, fetchCid }: Pick<Sources, 'rpc' | 'fetchCid'>,
  contract: LogFilter['contract'],
  ownCid: string | null,
): Promise<Uint8Array | null> {
  try {
    const latest = await readHead(rpc)
    const fromBlock = Math.max(0, latest - windowBlocks)
    const logs = await readLogs(rpc, { contract, fromBlock, toBlock: latest }, mostEvents)
    for (const { ipfsCid } of logs.slice(-mostReceipts).reverse()) {
      // An event may name anything; what is not a receipt is ignored.
      const receipt = await fetchCid(ipfsCid, 'newest receipt').then(readReceipt, () => null)
      const cid = receipt?.signer.collateralCid
      if (cid === undefined) continue
      return cid === ownCid ? null : await fetchCid(cid, 'collateral') // null: the newest receipts use the same
    }
  } catch (error) {
    // Without node or gateway nothing newer is known, and the caller says so.
    if (!(error instanceof ServiceError)) throw error
  }
  return null
}
