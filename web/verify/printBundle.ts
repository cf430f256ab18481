import type { ReceiptEvidence } from '@perigee/core/receipt/verify'
import type { Trust } from './runVerification.js'

/** Everything this verification used, as a `perigee-bundle/1` file: `npm run verify -- <file> --offline` repeats it. */
export function printBundle(evidence: ReceiptEvidence, { anchors }: Trust): string {
  const { receipt, cid, collateral, events } = evidence
  const value = {
    version: 'perigee-bundle/1',
    receipt: base64(receipt),
    cid,
    collateral: collateral && base64(collateral),
    events,
    trustAnchors: anchors,
  }
  return `${JSON.stringify(value, null, 2)}\n`
}

function base64(bytes: Uint8Array): string {
  let text = ''
  for (const byte of bytes) text += String.fromCharCode(byte)
  return btoa(text)
}
