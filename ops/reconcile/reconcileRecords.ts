import type { TransactionReceipt } from 'viem'
import { cidOf, type Hex } from '@perigee/core'
import { mostCollateralAge, subjectOf, type AnyReceipt } from '@perigee/core/receipt'
import { createCollateralAges } from '../../clients/collateral/createCollateralAges.js'
import { inParallel } from '../../clients/concurrency/inParallel.js'
import { walkBundles, walkProofs, type ReconciledProof } from '../../database/index.js'
import type { Reconciliation, Report } from './createReport.js'

const parallel = 8

type AskReceipt = (hash: Hex) => Promise<TransactionReceipt | null>
type AskAge = (cid: string) => Promise<number>

/** Compares every record with itself, with the IPFS nodes, and with the place on the chain that it names. */
export async function reconcileRecords(input: Reconciliation): Promise<void> {
  const { database, chain, checkBlock, report } = input
  for await (const bundles of walkBundles(database)) {
    await inParallel(parallel, bundles, async ({ cid, bytes }) => {
      if (cidOf(bytes) !== cid) report.mismatch('wrong_cid', cid, 'the stored bundle does not hash to its CID')
      await checkBlock(cid, cid)
    })
  }
  const { issuedAt } = createCollateralAges(database)
  for await (const proofs of walkProofs(database)) {
    // The proofs of a batch share transactions and blocks.
    const receiptOf = askOnce(async (hash: Hex) => (await chain.findMined([hash]))[0] ?? null)
    const blockOf = askOnce((blockNumber: bigint) => chain.rpcs.first((rpc) => rpc.getBlock({ blockNumber })))
    await inParallel(parallel, proofs, async (proof) => {
      report.count('proofs')
      checkReceipt(proof, report)
      if (proof.cid) await checkBlock(proof.cid, proof.slug)
      const blockNumber = await checkPlace(proof, input, receiptOf)
      if (blockNumber === null) return
      const { timestamp } = await blockOf(BigInt(blockNumber))
      await checkAge(proof, Number(timestamp), issuedAt, report)
    })
  }
}

function askOnce<K, V>(ask: (key: K) => Promise<V>): (key: K) => Promise<V> {
  const asked = new Map<K, Promise<V>>()
  return (key) => {
    const answer = asked.get(key) ?? ask(key)
    asked.set(key, answer)
    return answer
  }
}

function checkReceipt(proof: ReconciledProof, report: Report): void {
  const { slug, cid, receipt } = proof
  if (cid === null || receipt === null) return
  const found = cidOf(new TextEncoder().encode(receipt))
  if (found !== cid) {
    report.mismatch('wrong_cid', slug, 'the stored receipt does not hash to its CID', { cid, found })
  }
  if (!isAbout(receipt, proof)) {
    report.mismatch('receipt_differs', slug, 'the receipt is about another signature or key than the record', { cid })
  }
}

function isAbout(text: string, proof: ReconciledProof): boolean {
  try {
    const receipt = JSON.parse(text) as AnyReceipt
    const { kind, wallet, txHash } = subjectOf(receipt)
    const signature = receipt.version === 'perigee-receipt/1' ? receipt.transaction.signature : null
    const requestHash = receipt.version === 'perigee-message/1' ? receipt.message.requestHash : null
    const isSame = kind === proof.kind && wallet === proof.wallet && txHash === proof.txHash
    return isSame && signature === proof.signature && requestHash === proof.requestHash
  } catch {
    return false
  }
}

/** The block of its event; null when there is none, or none was looked for. */
async function checkPlace(proof: ReconciledProof, { chain, report }: Reconciliation, receiptOf: AskReceipt) {
  const { slug, status, wallet, txHash, cid, onchainTxHash, onchainBlockNumber, onchainBlockHash } = proof
  if (status !== 'complete' || !cid || !onchainTxHash) return null
  if (proof.publicationChainId !== chain.config.chainId) {
    const what = `proofs published on chain ${proof.publicationChainId ?? 'unknown'}`
    report.couldNotCheck(what, `this run reads chain ${chain.config.chainId}`)
    return null
  }
  report.count('places')
  const receipt = await receiptOf(onchainTxHash)
  const contract = proof.publicationContract ?? chain.config.contract
  const place = receipt && chain.eventIn(receipt, { wallet, txHash, cid, contract })
  if (!place) {
    const message = receipt ? 'its transaction has no event for it' : 'its transaction is not on the chain'
    report.mismatch('missing_event', slug, `complete, but ${message}`, { onchainTxHash })
    return null
  }
  if (place.onchainBlockNumber !== onchainBlockNumber) {
    const facts = { recorded: onchainBlockNumber, found: place.onchainBlockNumber }
    report.mismatch('wrong_block_number', slug, 'the event is in another block than recorded', facts)
  } else if (place.onchainBlockHash !== onchainBlockHash) {
    const facts = { recorded: onchainBlockHash, found: place.onchainBlockHash }
    report.mismatch('wrong_block_hash', slug, 'the chain has another block at this height than recorded', facts)
  }
  return place.onchainBlockNumber
}

/** Verifiers refuse collateral that was issued more than 7 days before the block: such a proof was sent too late. */
async function checkAge({ slug, receipt }: ReconciledProof, blockTime: number, issuedAt: AskAge, report: Report) {
  const collateralCid = collateralOf(receipt)
  if (collateralCid === null) return // `checkReceipt` has named it
  const issued = await issuedAt(collateralCid).catch(() => null)
  if (issued === null) return report.couldNotCheck(`age of collateral ${collateralCid}`, 'it is not in the records')
  if (blockTime - issued <= mostCollateralAge) return
  const facts = { collateralCid, issued, blockTime }
  report.mismatch('outdated_collateral', slug, 'published with collateral that verifiers refuse as too old', facts)
}

function collateralOf(text: string | null): string | null {
  try {
    return (JSON.parse(text ?? '') as AnyReceipt).signer.collateralCid
  } catch {
    return null
  }
}
