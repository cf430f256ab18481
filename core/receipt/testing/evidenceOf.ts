import { cidOf, fromHex, toHex, type Hex, type UnixSeconds } from '../../bytes/index.js'
import { reportData } from '../../binding/index.js'
import { replayRtmr3, type RuntimeEvent } from '../../measurements/index.js'
import { mintQuote } from '../../simulation/index.js'
import type { AnyReceipt } from '../AnyReceipt.js'
import { receiptBytes } from '../buildReceipt.js'
import { subjectOf } from '../subjectOf.js'
import type { PublishedEvent } from '../verify/index.js'
import { releasesOf, simulatedList } from './simulatedReleases.js'
import type { SimulatedWorld } from './simulatedWorld.js'

/** The event that would name a receipt, in a block eight seconds after the signature unless another time is given. */
export function eventOf(receipt: AnyReceipt, ipfsCid: string, blockTimestamp?: UnixSeconds): PublishedEvent {
  const { chainId, contract } = receipt.verification.publication
  const { kind, wallet, txHash, madeAt } = subjectOf(receipt)
  return {
    chainId,
    contract,
    wallet,
    txHash,
    ipfsCid,
    transactionHash: `0x${'0b'.repeat(32)}`,
    blockNumber: kind === 'birth' ? 5 : 12,
    blockTimestamp: blockTimestamp ?? madeAt + 8,
    confirmations: 3,
  }
}

/** Everything a verifier needs about a receipt, all of it good. */
export function evidenceOf(receipt: AnyReceipt, collateral: Uint8Array, blockTimestamp?: UnixSeconds) {
  const bytes = receiptBytes(receipt)
  const cid = cidOf(bytes)
  const events = [eventOf(receipt, cid, blockTimestamp)]
  return { receipt: bytes, cid, collateral, events, releases: releasesOf(simulatedList()) }
}

export type MintedEvidence = ReturnType<typeof evidenceOf>

/** The receipt with something else in it, published like any other. */
export function republish<T extends AnyReceipt, E extends MintedEvidence>(
  { receipt: good, evidence }: { receipt: T; evidence: E },
  change: (receipt: T) => unknown,
): { receipt: T; evidence: E } {
  const receipt = structuredClone(good)
  change(receipt)
  const { receipt: bytes, cid, events } = evidenceOf(receipt, evidence.collateral)
  return { receipt, evidence: { ...evidence, receipt: bytes, cid, events } }
}

/** A genuine quote over a binding, from a machine that measured these events. */
export function quoteOver(
  { quoteKeys }: SimulatedWorld,
  binding: Uint8Array,
  events: RuntimeEvent[],
  version: 4 | 5 = 4,
): Hex {
  const quoted = { reportData: fromHex(reportData(binding)), version, rtmr3: replayRtmr3(events) }
  return toHex(mintQuote(quoted, quoteKeys))
}
