import { encodeFunctionData, parseAbi } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import type { Hex, MessageProof, ProofStatus, TransactionProof } from '../types.js'
import type { MemoryChain } from './chain/createMemoryChain.js'
import {
  makeMessageReceipt,
  makeReceipt,
  receiptText,
  type SignedMessageRecord,
  type SignedRecord,
} from './makeReceipt.js'
import { rawCid } from './rawCid.js'

const abi = parseAbi(['function publish(address wallet, bytes32 txHash, string ipfsCid)'])
export const defaultContract: Hex = '0x00000000000000000000000000000000000a77e5'

/** How long the steps of publishing take, or `manual`: only `pin`, `complete` and `fail` move a proof. */
export type Publishing = 'manual' | { pinMs: number; confirmMs: number }

export interface ProofsOptions {
  chainId: number
  contract: Hex
  gatewayUrl: () => string
  publishing: Publishing
}

type Proof = TransactionProof | MessageProof
type Recorded = SignedRecord | SignedMessageRecord

/** Proofs and their states: `pending_pin` -> `pending_onchain` -> `complete`, or a failure on the way. */
export function createProofs(chain: MemoryChain, { chainId, contract, gatewayUrl, publishing }: ProofsOptions) {
  const proofs = new Map<string, Proof>()
  const records = new Map<string, Recorded>()
  const files = new Map<string, string>()
  const publisher = privateKeyToAccount(generatePrivateKey())
  chain.setBalance(publisher.address, 10n ** 21n)
  let nonce = 0

  const find = (slug: string): Proof => {
    const proof = proofs.get(slug)
    if (!proof) throw new Error(`no proof ${slug}`)
    return proof
  }

  function add(slug: string, record: Recorded): void {
    records.set(slug, record)
    const kind =
      'message' in record
        ? ({ kind: 'message', txHash: record.message.commitment, chainId: 0 } as const)
        : ({ kind: 'transaction', txHash: record.txHash, chainId: record.transaction.chainId } as const)
    proofs.set(slug, {
      slug,
      ...kind,
      walletAddress: record.address,
      status: 'pending_pin',
      ipfsCid: null,
      ipfsUrl: null,
      onchainTxHash: null,
      onchainBlockNumber: null,
      kmsQuoteVerified: false, // there is no quote here, and nothing may claim otherwise
      receipt: null,
      createdAt: record.signedAt.toISOString(),
    })
  }

  function pin(slug: string): void {
    const record = records.get(slug) as Recorded
    const receipt =
      'message' in record ? makeMessageReceipt(record, chainId, contract) : makeReceipt(record, chainId, contract)
    const text = receiptText(receipt)
    const ipfsCid = rawCid(new TextEncoder().encode(text))
    files.set(ipfsCid, text)
    const ipfsUrl = `${gatewayUrl()}/${ipfsCid}`
    proofs.set(slug, { ...find(slug), status: 'pending_onchain', ipfsCid, ipfsUrl, receipt } as Proof)
  }

  async function complete(slug: string): Promise<void> {
    if (!find(slug).ipfsCid) pin(slug)
    const proof = find(slug)
    const args = [proof.walletAddress, proof.txHash, proof.ipfsCid as string] as const
    const raw = await publisher.signTransaction({
      chainId,
      nonce: nonce++,
      to: contract,
      data: encodeFunctionData({ abi, functionName: 'publish', args }),
      gas: 100_000n,
      maxFeePerGas: 2_000_000_000n,
      maxPriorityFeePerGas: 1n,
    })
    const { hash, blockNumber } = await chain.send(raw)
    proofs.set(slug, { ...find(slug), status: 'complete', onchainTxHash: hash, onchainBlockNumber: blockNumber })
  }

  /** Moves a proof as far as its age allows. */
  async function read(slug: string): Promise<Proof | undefined> {
    const record = records.get(slug)
    if (record && publishing !== 'manual') {
      const ageMs = Date.now() - record.signedAt.getTime()
      if (find(slug).status === 'pending_pin' && ageMs >= publishing.pinMs) pin(slug)
      const due = ageMs >= publishing.pinMs + publishing.confirmMs
      if (find(slug).status === 'pending_onchain' && due) await complete(slug)
    }
    return proofs.get(slug)
  }

  function fail(slug: string): void {
    const status: ProofStatus = find(slug).status === 'pending_pin' ? 'pin_failed' : 'onchain_failed'
    proofs.set(slug, { ...find(slug), status })
  }

  return { add, pin, complete, fail, read, file: (cid: string) => files.get(cid), contract }
}
