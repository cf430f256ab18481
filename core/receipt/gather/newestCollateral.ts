import { cidOf, type Hex } from '../../bytes/index.js'
import { ServiceError } from '../../errors/index.js'
import { readReceipt } from '../schema/parseReceipt.js'
import type { Sources } from './gatherEvidence.js'
import type { Candidate, ReceiptEvidence } from '../verify/index.js'
import { readLogs } from '../chain/readLogs.js'
import { readHead } from '../chain/readNumber.js'

const windowBlocks = 5000 // public nodes search this many in one call
const mostEvents = 10_000
const mostReceipts = 3

/**
 * The collateral of the newest receipts that these contracts published, if it is not the receipt's own. It is found on the
 * chain and fetched from IPFS, without the service. Anyone may have published it, but only the vendor can have signed it.
 * Empty when there is none, or none can be fetched.
 */
export async function newestCollateral(
  { rpc, fetchCid }: Pick<Sources, 'rpc' | 'fetchCid'>,
  contract: readonly Hex[],
  { collateral: own }: Pick<ReceiptEvidence, 'collateral'>,
): Promise<Candidate[]> {
  if (contract.length === 0) return []
  try {
    const latest = await readHead(rpc)
    const fromBlock = Math.max(0, latest - windowBlocks)
    const logs = await readLogs(rpc, { contract, fromBlock, toBlock: latest }, mostEvents)
    for (const { ipfsCid } of logs.slice(-mostReceipts).reverse()) {
      // An event may name anything; what is not a receipt is ignored.
      const receipt = await fetchCid(ipfsCid, 'newest receipt').then(readReceipt, () => null)
      const cid = receipt?.signer.collateralCid
      if (cid === undefined) continue
      if (own && cid === cidOf(own)) return [] // the newest receipts use the same
      return [{ source: 'the newest published receipt', bytes: await fetchCid(cid, 'collateral') }]
    }
  } catch (error) {
    // Without node or gateway nothing newer is known, and the caller says so.
    if (!(error instanceof ServiceError)) throw error
  }
  return []
}
