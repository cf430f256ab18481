import { ServiceError, type Hex } from '@perigee/core'
import { parseReceipt, type AttestationReceiptV1, type TrustAnchors } from '@perigee/core/receipt'
import type { PublishedEvent, ReceiptEvidence, StepName } from '@perigee/core/receipt/verify'
import type { Bundle } from './bundle.js'
import type { Console } from './Console.js'
import { readEvents } from './sources/chain.js'
import { fetchCid } from './sources/gateway.js'
import { readProof } from './sources/proof.js'
import type { Target } from './target.js'

/** Where to look. Every address is the reader's choice. */
export interface Places {
  gateways: readonly string[]
  rpc: string | undefined
  contract: Hex | undefined
  api: string | undefined
  fromBlock: number
}

export interface Gathered {
  evidence: ReceiptEvidence
  /** What could not be had, in words: the steps that needed it fail. */
  notes: string[]
}

interface Found extends ReceiptEvidence {
  /** Where the service says the event is, and for which transaction. */
  hintBlock?: number | null
  claimedTxHash?: Hex
}

/** Fetches what the steps need. A receipt that cannot be had is an error; anything else missing fails its own step. */
export async function gatherEvidence(
  target: Target,
  file: { bytes: Uint8Array; bundle: Bundle | null } | null,
  places: Places,
  anchors: TrustAnchors,
  skip: readonly StepName[],
  io: Console,
): Promise<Gathered> {
  if (file?.bundle) {
    return {
      evidence: file.bundle.evidence,
      notes: ['events are as the bundle’s maker recorded them; no node was asked'],
    }
  }
  const { hintBlock, claimedTxHash, ...found } = await findReceipt(target, file?.bytes, places, anchors, io)
  const evidence: ReceiptEvidence = found
  const receipt = readable(found.receipt)
  if (receipt === null) return { evidence, notes: [] } // the first step says why
  const { txHash } = receipt.transaction
  if (claimedTxHash !== undefined && claimedTxHash !== txHash) {
    const facts = { claimedTxHash, txHash }
    throw new ServiceError('claim_mismatch', 'the service names a receipt of another transaction', facts)
  }
  const notes: string[] = []
  const attempt = async (what: string, work: () => Promise<void>) => {
    await work().catch((error: unknown) => {
      if (!(error instanceof ServiceError)) throw error
      notes.push(`${what}: ${error.message} (${error.code})`)
    })
  }
  if (!skip.includes('collateral_cid') || !skip.includes('quote')) {
    await attempt('collateral', async () => {
      evidence.collateral = await fetchCid(receipt.signer.collateralCid, 'collateral', places.gateways, io)
    })
  }
  if (!skip.includes('onchain_event') && evidence.events === undefined) {
    await attempt('event', async () => {
      const contract = contractOf(receipt, places, anchors)
      evidence.events = await findEvents(txHash, contract, places, io, hintBlock)
    })
  }
  return { evidence, notes }
}

async function findReceipt(
  target: Target,
  bytes: Uint8Array | undefined,
  places: Places,
  anchors: TrustAnchors,
  io: Console,
): Promise<Found> {
  switch (target.kind) {
    case 'file':
      if (bytes === undefined) throw new ServiceError('evidence_missing', 'no file was read')
      return { receipt: bytes }
    case 'cid': {
      const gateways = target.gateway === undefined ? places.gateways : [target.gateway, ...places.gateways]
      return { receipt: await fetchCid(target.cid, 'receipt', gateways, io), cid: target.cid }
    }
    case 'proof': {
      io.progress(`asking ${new URL(target.url).host} which receipt this is`)
      const { txHash, ipfsCid, onchainBlockNumber } = await readProof(target.url, places.api)
      const receipt = await fetchCid(ipfsCid, 'receipt', places.gateways, io)
      return { receipt, cid: ipfsCid, hintBlock: onchainBlockNumber, claimedTxHash: txHash }
    }
    case 'transaction': {
      const contract = places.contract ?? anchors.contracts[0]?.address
      const events = await findEvents(target.txHash, contract, places, io)
      const [event] = events
      if (event === undefined) throw new ServiceError('event_missing', `no event for ${target.txHash} was found`)
      return { receipt: await fetchCid(event.ipfsCid, 'receipt', places.gateways, io), cid: event.ipfsCid, events }
    }
  }
}

async function findEvents(
  txHash: Hex,
  contract: Hex | undefined,
  { rpc, fromBlock }: Places,
  io: Console,
  hintBlock?: number | null,
): Promise<PublishedEvent[]> {
  if (rpc === undefined) throw new ServiceError('evidence_missing', 'give a node of the event’s chain with --rpc')
  if (contract === undefined) throw new ServiceError('evidence_missing', 'give the expected contract with --contract')
  io.progress(`looking for events of ${contract} on ${new URL(rpc).host}`)
  try {
    return await readEvents({ rpc, contract, txHash, fromBlock })
  } catch (error) {
    // Public nodes refuse to search a whole chain. The service's hint only narrows the search: the event is the node's.
    if (!(error instanceof ServiceError) || typeof hintBlock !== 'number' || hintBlock <= fromBlock) throw error
    io.progress(`  ${error.message}; trying from block ${hintBlock}`)
    return readEvents({ rpc, contract, txHash, fromBlock: hintBlock })
  }
}

// Never the receipt's own word for the contract: only one that the reader expects.
function contractOf(receipt: AttestationReceiptV1, places: Places, anchors: TrustAnchors): Hex | undefined {
  const { chainId } = receipt.verification.publication
  return places.contract ?? anchors.contracts.find((known) => known.chainId === chainId)?.address
}

function readable(bytes: Uint8Array): AttestationReceiptV1 | null {
  try {
    return parseReceipt(bytes)
  } catch {
    return null
  }
}
