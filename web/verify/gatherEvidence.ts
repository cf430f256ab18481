import { ServiceError, type Hex } from '@perigee/core'
import { parseReceipt, type TrustAnchors } from '@perigee/core/receipt'
import type { PublishedEvent, ReceiptEvidence } from '@perigee/core/receipt/verify'
import type { ProofPayload } from '@perigee/sdk/proof'
import { createPublicClient, http } from 'viem'
import type { WebConfig } from '../config/WebConfig.js'
import { fetchCid } from './fetchCid.js'
import { attestationPublished } from '@perigee/core/proof'

/** Where to look. Nothing of it is believed. */
export type Whereabouts = Pick<ProofPayload, 'ipfsCid' | 'onchainBlockNumber'>

/** Evidence, and in words what could not be had: the steps that needed it then fail. */
export interface Gathered {
  evidence: ReceiptEvidence
  notes: string[]
}

/** Fetches receipt, collateral and event from IPFS and the chain. The service is not asked; its word is only where to look. */
export async function gatherEvidence(proof: Whereabouts, config: WebConfig, anchors: TrustAnchors): Promise<Gathered> {
  if (proof.ipfsCid === null) throw new ServiceError('evidence_missing', 'The receipt is not public yet.')
  const evidence: ReceiptEvidence = { receipt: await fetchCid(config, proof.ipfsCid), cid: proof.ipfsCid }
  const notes: string[] = []
  const attempt = async (what: string, work: () => Promise<void>) => {
    await work().catch((error: unknown) => void notes.push(`${what}: ${(error as Error).message}`))
  }
  await attempt('Collateral', async () => {
    evidence.collateral = await fetchCid(config, parseReceipt(evidence.receipt).signer.collateralCid)
  })
  await attempt('Chain event', async () => {
    evidence.events = await readEvents(parseReceipt(evidence.receipt).transaction.txHash, proof, config, anchors)
  })
  return { evidence, notes }
}

/** Every event of the contract the visitor expects, as the configured node tells it. */
async function readEvents(txHash: Hex, proof: Whereabouts, config: WebConfig, anchors: TrustAnchors) {
  const client = createPublicClient({ transport: http(config.rpcUrl) })
  const chainId = await client.getChainId()
  // Never the receipt's own word for the contract: only one that the anchors name.
  const contract = anchors.contracts.find((known) => known.chainId === chainId)?.address
  if (contract === undefined) throw new ServiceError('evidence_missing', `No contract is expected on chain ${chainId}.`)
  const search = (fromBlock: bigint) =>
    client.getLogs({
      address: contract,
      event: attestationPublished,
      args: { txHash },
      fromBlock,
      toBlock: 'latest',
      strict: true,
    })
  // Public nodes refuse to search a whole chain; then from the block the service named. The event is the node's own.
  const logs = await search(0n).catch(() => search(BigInt(proof.onchainBlockNumber ?? 0)))
  const latest = await client.getBlockNumber({ cacheTime: 0 })
  const events: PublishedEvent[] = []
  for (const { args, blockNumber, transactionHash, address } of logs) {
    const { timestamp } = await client.getBlock({ blockNumber })
    events.push({
      chainId,
      contract: address.toLowerCase() as Hex,
      wallet: args.wallet.toLowerCase() as Hex,
      txHash: args.txHash,
      ipfsCid: args.ipfsCid,
      transactionHash,
      blockNumber: Number(blockNumber),
      blockTimestamp: Number(timestamp),
      confirmations: Number(latest - blockNumber) + 1,
    })
  }
  return events
}
