import { keccak_256 } from '@noble/hashes/sha3'
import { sha256, sha512 } from '@noble/hashes/sha2'
import { toHex, type Hex, type UnixSeconds } from '../../bytes/index.js'
import { ServiceError } from '../../errors/index.js'
import type { AnyReceipt } from '../AnyReceipt.js'
import type { AttestationReceiptV1 } from '../AttestationReceiptV1.js'
import type { BirthReceiptV1 } from '../BirthReceiptV1.js'
import type { MessageReceiptV1 } from '../MessageReceiptV1.js'
import type { HashedBytes, ReceiptEvidence, Work } from './types.js'

const hashes = { 'sha-256': sha256, 'sha-512': sha512, 'keccak-256': keccak_256 }

/** Hashes bytes and keeps them for `explain`. */
export function hashed(work: Work, what: string, algorithm: HashedBytes['algorithm'], bytes: Uint8Array): Hex {
  const digest = toHex(hashes[algorithm](bytes))
  if (work.options.explain) work.hashed.push({ what, algorithm, bytes: toHex(bytes), digest })
  return digest
}

/** The receipt, or `step_not_run` when it could not be read. */
export function receiptOf(work: Work): AnyReceipt {
  return need(work.receipt, 'the receipt could not be read')
}

/** The same in steps that only receipts of transactions have. */
export function signedOf(work: Work): AttestationReceiptV1 {
  const receipt = receiptOf(work)
  return need(receipt.version === 'perigee-receipt/1' ? receipt : undefined, 'it is no receipt of a transaction')
}

/** The same in steps that only receipts of messages have. */
export function messageOf(work: Work): MessageReceiptV1 {
  const receipt = receiptOf(work)
  return need(receipt.version === 'perigee-message/1' ? receipt : undefined, 'it is no receipt of a message')
}

/** The same in steps of every receipt that names the birth of its key. */
export function signatureOf(work: Work): AttestationReceiptV1 | MessageReceiptV1 {
  const receipt = receiptOf(work)
  return need(receipt.version === 'perigee-birth/1' ? undefined : receipt, 'it is no receipt of a signature')
}

/** The same in steps that only birth receipts have. */
export function birthOf(work: Work): BirthReceiptV1 {
  const receipt = receiptOf(work)
  return need(receipt.version === 'perigee-birth/1' ? receipt : undefined, 'it is no birth receipt')
}

/** A value that an earlier step should have proved. Without it a step cannot run, which counts as a failure. */
export function need<T>(value: T | undefined, why: string): T {
  if (value === undefined) throw new ServiceError('step_not_run', `not run: ${why}`)
  return value
}

/** Why evidence is missing: what the source said, or `otherwise` when none was asked. */
export function whyMissing(
  { missing }: ReceiptEvidence,
  member: keyof NonNullable<ReceiptEvidence['missing']>,
  what: string,
  otherwise: string,
): string {
  const reason = missing?.[member]
  return reason === undefined ? `${what} ${otherwise}` : `${what} could not be fetched: ${reason}`
}

/** Throws `claim_mismatch` when the receipt differs from what was found. */
export function sameClaim(what: string, claimed: string, found: string): void {
  if (claimed !== found) {
    throw new ServiceError('claim_mismatch', `the receipt says ${what} ${claimed}, the check found ${found}`)
  }
}

/** Throws `binding_mismatch` unless the quote's REPORTDATA is the hash of these bytes. Says what was compared. */
export function sameReportData(work: Work, what: string, encoded: Uint8Array): string {
  const { reportData } = need(work.quote, 'the quote was not verified')
  const expected = hashed(work, what, 'sha-512', encoded)
  if (expected !== reportData) {
    const facts = { expected, reportData }
    throw new ServiceError('binding_mismatch', 'REPORTDATA binds other values than the receipt shows', facts)
  }
  return `SHA-512 of ${encoded.length} bound bytes = REPORTDATA ${shorten(expected)}`
}

/** A time for people. A hostile receipt or node may give a number that is no time. */
export function isoTime(seconds: UnixSeconds): string {
  const date = new Date(seconds * 1000)
  return Number.isNaN(date.getTime()) ? 'no date' : date.toISOString()
}

/** A hash for people. */
export const shorten = (hex: Hex): string => `${hex.slice(0, 18)}…`
