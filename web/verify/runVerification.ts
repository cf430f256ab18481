import { ed25519 } from '@noble/curves/ed25519'
import { p256 } from '@noble/curves/p256'
import { secp256k1 } from '@noble/curves/secp256k1'
import {
  parseAnyReceipt,
  parseTrustAnchors,
  trustAnchorsCid,
  vendorAnchors,
  type TrustAnchors,
} from '@perigee/core/receipt'
import {
  checkReceipt,
  publishingEvents,
  tcbThenAndNow,
  timesApart,
  type ReceiptEvidence,
  type ReceiptVerdict,
  type StepResult,
  type TcbThenAndNow,
} from '@perigee/core/receipt/verify'
import { gatherEvidence, newestCollateral, printBundle, verifyBeacon, type Target } from '@perigee/core/receipt/gather'
import type { ProofPayload } from '@perigee/sdk/proof'
import type { WebConfig } from '../config/WebConfig.js'
import { receiptProof } from '../proof/receiptProof.js'
import type { ShownProof } from '../proof/ShownProof.js'
import { createSources, deadline } from './createSources.js'

/** What the check trusts, and who chose it. */
export interface Trust {
  anchors: TrustAnchors
  source: string
  cid: string
}

export interface Verification {
  verdict: ReceiptVerdict
  /** A sentence when the enclave's clock and the block are more than a day apart. */
  apart: string | null
  /** What the page may show as facts, read from the bytes that were verified. Null unless every check passed. */
  verified: ShownProof | null
  /** A file for `npm run verify -- <file> --offline`. */
  printBundle: () => string
  notes: string[]
  /** The platform's firmware then and now, with the visitor's own collateral if there is any. */
  readTcb(collateral: File | null): Promise<TcbThenAndNow | null>
}

/** The visitor's own file, or what this site offers, or the vendors' roots alone. */
export async function loadTrust(file: File | null): Promise<Trust> {
  if (file) return trusted(parseTrustAnchors(JSON.parse(await file.text())), `your file ${file.name}`)
  const response = await fetch('/trust-anchors.json')
  const isJson = response.ok && response.headers.get('content-type')?.includes('json')
  if (isJson) return trusted(parseTrustAnchors(await response.json()), 'this site')
  return trusted(vendorAnchors(), 'built in: Intel’s and AMD’s roots, and no published builds')
}

const trusted = (anchors: TrustAnchors, source: string): Trust => ({ anchors, source, cid: trustAnchorsCid(anchors) })

export interface VerificationOptions {
  /** The service's answer that the page shows, when the target is a proof. */
  shown?: ProofPayload | undefined
  trust: Trust
  /** Verify a copy of the receipt with one digit changed. */
  tamper: boolean
  /** Called with the results so far, often enough to show progress. */
  onSteps: (steps: StepResult[]) => void
  /** Called with what is being fetched or searched. */
  onProgress?: (line: string) => void
}

/*
 * At its first use a curve prepares a table that pays off after many signatures and takes a phone a tenth of a second.
 * A page verifies a handful: a table of an eighth of the size is faster.
 */
ed25519.ExtendedPoint.BASE._setWindowSize(4)
for (const curve of [p256, secp256k1]) curve.ProjectivePoint.BASE._setWindowSize(4)

export { verifyOpening } from '@perigee/core/receipt/verify'

/** Longer than this nobody waits for a page. The CLI searches longer. */
const mostSearchMs = 180_000

/** A page that works longer than this without a pause feels stuck. */
const paintEveryMs = 50

/** Runs every check in this browser. */
export async function runVerification(
  target: Target,
  config: WebConfig,
  { shown, trust, tamper, onSteps, onProgress = () => undefined }: VerificationOptions,
): Promise<Verification> {
  const { anchors } = trust
  const sources = createSources(config, onProgress, shown)
  const signal = deadline(mostSearchMs)
  const { evidence, notes } = await gatherEvidence(target, sources, { anchors, signal, onProgress })
  performance.mark('perigee:gathered')
  if (tamper) evidence.receipt = tampered(evidence.receipt)
  const now = Math.floor(Date.now() / 1000)
  const checks = checkReceipt(evidence, { anchors, now, verifyBeacon })
  const steps: StepResult[] = []
  let paintAt = performance.now() + paintEveryMs
  for (;;) {
    const next = await checks.next()
    if (next.done) {
      onSteps(next.value.steps)
      return {
        verdict: next.value,
        apart: timesApart(next.value),
        verified: verifiedProof(evidence, next.value, anchors),
        printBundle: () => printBundle({ evidence, anchors }),
        notes,
        readTcb: async (file) => {
          const newer = await newestCollateral(sources, config.contracts, evidence)
          if (file) newer.push({ source: `your file ${file.name}`, bytes: new Uint8Array(await file.arrayBuffer()) })
          return tcbThenAndNow(evidence, anchors, now, newer)
        },
      }
    }
    steps.push(next.value)
    if (performance.now() < paintAt) continue
    onSteps([...steps])
    await new Promise((resolve) => setTimeout(resolve))
    paintAt = performance.now() + paintEveryMs
  }
}

/** Only what passed every check, with the first event that publishes it. */
function verifiedProof(evidence: ReceiptEvidence, verdict: ReceiptVerdict, anchors: TrustAnchors): ShownProof | null {
  if (!verdict.verified) return null
  const receipt = parseAnyReceipt(evidence.receipt)
  const [first] = publishingEvents(evidence, receipt, anchors)
  return first ? receiptProof(receipt, verdict.cid, first) : null
}

/** Changes one digit of the amount, of a birth's date or of a message's commitment, as a forger would. */
function tampered(receipt: Uint8Array): Uint8Array {
  const text = new TextDecoder().decode(receipt)
  const changed = text.replace(
    /("value":"|"createdAt":)(\d)(?=\d*[",}])|("commitment":"0x)(.)/,
    (_, start: string | undefined, digit: string, commitment: string, first: string) =>
      start === undefined ? `${commitment}${first === '1' ? '2' : '1'}` : `${start}${(Number(digit) % 9) + 1}`,
  )
  return new TextEncoder().encode(changed)
}
