import type { DataSource } from 'typeorm'
import type { TransactionReceipt } from 'viem'
import { cidOf, type Hex } from '@perigee/core'
import type { Chain } from '../../clients/chain/createChain.js'
import { inParallel } from '../../clients/http/inParallel.js'
import { walkBundles, walkProofs, type AuditedProof } from '../../database/index.js'
import type { AuditReport } from './AuditReport.js'

const atOnce = 8
/** A signature and its publication are one transaction of the database; a younger one may still be on its way. */
const settledSeconds = 60

export interface RecordsAudit {
  database: DataSource
  chain: Chain
  lookForBlock: (cid: string, what: string) => Promise<void>
  report: AuditReport
}

/** Every record against itself, the IPFS nodes, and the place on the chain that it names. */
export async function auditRecords({ database, chain, lookForBlock, report }: RecordsAudit): Promise<void> {
  for await (const bundles of walkBundles(database)) {
    await inParallel(atOnce, bundles, async ({ cid, bytes }) => {
      if (cidOf(bytes) !== cid) report.disagree('wrong_cid', cid, 'the stored bundle is not what its CID names')
      await lookForBlock(cid, cid)
    })
  }
  for await (const proofs of walkProofs(database)) {
    const receipts = new Map<Hex, Promise<TransactionReceipt | null>>() // the proofs of a batch share theirs
    const receiptOf = (hash: Hex) => {
      const asked = receipts.get(hash) ?? chain.findMined([hash]).then(([first]) => first ?? null)
      receipts.set(hash, asked)
      return asked
    }
    await inParallel(atOnce, proofs, async (proof) => {
      report.count('proofs')
      checkReceipt(proof, report)
      if (proof.cid) await lookForBlock(proof.cid, proof.slug)
      await checkPlace(proof, chain, receiptOf, report)
    })
  }
}

function checkReceipt(proof: AuditedProof, report: AuditReport): void {
  const { slug, status, cid, receipt } = proof
  if (status === null) {
    if (proof.ageSeconds > settledSeconds) {
      const facts = { txHash: proof.txHash, wallet: proof.wallet }
      report.disagree('signature_without_receipt', slug, 'a signature has no publication', facts)
    }
    return
  }
  if (cid === null || receipt === null) return
  const found = cidOf(new TextEncoder().encode(receipt))
  if (found !== cid) {
    report.disagree('wrong_cid', slug, 'the stored receipt is not what its CID names', { cid, found })
  }
  if (!isAbout(receipt, proof)) {
    report.disagree('receipt_differs', slug, 'the receipt is about another signature than the record', { cid })
  }
}

function isAbout(receipt: string, { wallet, txHash, signature }: AuditedProof): boolean {
  try {
    const { transaction } = JSON.parse(receipt) as { transaction: { from: string; txHash: string; signature: string } }
    return transaction.from === wallet && transaction.txHash === txHash && transaction.signature === signature
  } catch {
    return false
  }
}

async function checkPlace(
  proof: AuditedProof,
  chain: Chain,
  receiptOf: (hash: Hex) => Promise<TransactionReceipt | null>,
  report: AuditReport,
): Promise<void> {
  const { slug, status, wallet, txHash, cid, onchainTxHash, onchainBlockNumber, onchainBlockHash } = proof
  if (status !== 'complete' || !cid || !onchainTxHash) return
  if (proof.publicationChainId !== chain.config.chainId) {
    const what = `proofs published on chain ${proof.publicationChainId ?? 'unknown'}`
    return report.couldNotCheck(what, `this audit looks at chain ${chain.config.chainId}`)
  }
  report.count('places')
  const receipt = await receiptOf(onchainTxHash)
  const place = receipt && chain.eventIn(receipt, { wallet, txHash, cid })
  if (!place) {
    const message = receipt ? 'the transaction has no event for it' : 'its transaction is not on the chain'
    return report.disagree('missing_event', slug, `complete, but ${message}`, { onchainTxHash })
  }
  if (place.onchainBlockNumber !== onchainBlockNumber) {
    const facts = { recorded: onchainBlockNumber, found: place.onchainBlockNumber }
    report.disagree('wrong_block_number', slug, 'the event is in another block than recorded', facts)
  } else if (place.onchainBlockHash !== onchainBlockHash) {
    report.disagree('wrong_block_hash', slug, 'the block recorded is not the one on the chain', {
      ...{ recorded: onchainBlockHash, found: place.onchainBlockHash },
    })
  }
}
