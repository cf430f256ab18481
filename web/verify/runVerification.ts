import { cidOf } from '@perigee/core/bytes'
import {
  parseAnyReceipt,
  parseTrustAnchors,
  trustAnchorsCid,
  vendorAnchors,
  type AttestationReceiptV1,
  type TrustAnchors,
} from '@perigee/core/receipt'
import { checkReceipt, type ReceiptEvidence, type ReceiptVerdict, type StepResult } from '@perigee/core/receipt/verify'
import { gatherEvidence, printBundle, type Target } from '@perigee/core/receipt/gather'
import type { ProofPayload } from '@perigee/sdk/proof'
import type { WebConfig } from '../config/WebConfig.js'
import { createSources } from './createSources.js'
import { newestCollateral } from './newestCollateral.js'
import { tcbThenAndNow, type Candidate, type TcbThenAndNow } from './tcbThenAndNow.js'

/** What the check trusts, and who chose it. */
export interface Trust {
  anchors: TrustAnchors
  source: string
  cid: string
}

export interface Verification {
  verdict: ReceiptVerdict
  /** Who asked, from the receipt of a signature that was verified. Null unless it was. */
  authorisation: AttestationReceiptV1['authorisation'] | null
  /** A file for `npm run verify -- <file> --offline`. */
  printBundle: () => string
  notes: string[]
  tcb: TcbThenAndNow | null
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
  /** The visitor's own collateral, to check the firmware as of today. */
  collateral: File | null
  onStep: (step: StepResult) => void
}

/** Runs every check in this browser. */
export async function runVerification(
  target: Target,
  config: WebConfig,
  { shown, trust, tamper, collateral, onStep }: VerificationOptions,
): Promise<Verification> {
  const { evidence, notes } = await gatherEvidence(target, createSources(config, shown), trust)
  if (tamper) evidence.receipt = tampered(evidence.receipt)
  const now = Math.floor(Date.now() / 1000)
  const checks = checkReceipt(evidence, { anchors: trust.anchors, now })
  for (;;) {
    const next = await checks.next()
    if (next.done) {
      const newer = tamper ? [] : await newerCollateral(evidence, config, collateral)
      const tcb = await tcbThenAndNow(evidence, trust.anchors, now, newer)
      const verdict = next.value
      const receipt = verdict.verified ? parseAnyReceipt(evidence.receipt) : null
      return {
        verdict,
        authorisation: receipt?.version === 'perigee-receipt/1' ? receipt.authorisation : null,
        printBundle: () => printBundle({ evidence, anchors: trust.anchors }),
        notes,
        tcb,
      }
    }
    onStep(next.value)
    await new Promise((resolve) => setTimeout(resolve)) // let the page paint between checks
  }
}

/** Collateral that may be newer than the receipt's own: of the newest published receipts, and from the visitor's file. */
async function newerCollateral(evidence: ReceiptEvidence, config: WebConfig, file: File | null): Promise<Candidate[]> {
  const newer: Candidate[] = []
  const published = await newestCollateral(config, evidence.collateral ? cidOf(evidence.collateral) : '')
  if (published) newer.push({ source: 'the newest published receipt', bytes: published })
  if (file) newer.push({ source: `your file ${file.name}`, bytes: new Uint8Array(await file.arrayBuffer()) })
  return newer
}

/** Changes one digit of the amount, or of a birth's date, as a forger would. */
function tampered(receipt: Uint8Array): Uint8Array {
  const text = new TextDecoder().decode(receipt)
  const changed = text.replace(
    /("value":"|"createdAt":)(\d)(?=\d*[",}])/,
    (_, start: string, digit: string) => `${start}${(Number(digit) % 9) + 1}`,
  )
  return new TextEncoder().encode(changed)
}
