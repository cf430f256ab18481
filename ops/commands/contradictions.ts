import { ServiceError } from '@perigee/core'
import type { Rpc } from '@perigee/core/receipt/gather'
import { findContradictions } from '@perigee/core/receipt/wallet'
import type { EIP1193RequestFn } from 'viem'
import { eventRange } from '../../clients/chain/ChainConfig.js'
import { createRpcs } from '../../clients/chain/rpc/createRpcs.js'
import { createKuboNode } from '../../clients/ipfs/createKuboNode.js'
import { readVerified } from '../../clients/ipfs/readVerified.js'
import type { OpsConfig } from '../config.js'
import type { Outcome } from '../Outcome.js'

/** Finds receipts that contradict one another, from the events of the contract and of those before it, and IPFS, alone. Asks no database. */
export async function contradictions(config: OpsConfig): Promise<Outcome> {
  const { chain } = config.chain()
  const rpcs = createRpcs(chain)
  const nodes = config.ipfs().apiUrls.map((url) => createKuboNode(url))
  const rpc: Rpc = (method, params) =>
    rpcs.first((client) => (client.request as EIP1193RequestFn)({ method, params } as never))
  const toBlock = Number(await rpcs.first((client) => client.getBlockNumber()))
  const { contract, fromBlock } = eventRange(chain)
  const walk = { contract, fromBlock: Number(fromBlock), toBlock }
  const report = await findContradictions({ rpc, fetchCid }, walk)
  const { events, contradictions: found, unread, more } = report
  const lines = [
    ...found.map(({ kind, cids, detail }) => `CONTRADICTION  ${kind}  ${cids.join(' and ')}: ${detail}`),
    ...unread.map(({ cid, why }) => `UNREAD         ${cid}: ${why}`),
    ...(more > 0 ? [`and ${more} more`] : []),
    `${events} events, ${found.length} contradictions, ${unread.length} receipts not read`,
  ]
  return { lines, json: report, exitCode: found.length > 0 ? 1 : unread.length > 0 ? 3 : 0 }

  async function fetchCid(cid: string): Promise<Uint8Array> {
    const sources = nodes.map((node) => node.read)
    const bytes = await readVerified(cid, sources)
    if (bytes) return bytes
    throw new ServiceError('evidence_missing', 'no IPFS node has it', { cid })
  }
}
