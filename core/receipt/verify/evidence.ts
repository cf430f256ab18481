import { keccak_256 } from '@noble/hashes/sha3'
import { sha256, sha512 } from '@noble/hashes/sha2'
import { canonicalJson, cidOf, toHex, type Hex, type UnixSeconds } from '../../bytes/index.js'
import { ServiceError, withCode, type Facts } from '../../errors/index.js'
import { parseQuoteCollateral, type QuoteCollateral } from '../../tdx/index.js'
import type { AnyReceipt } from '../AnyReceipt.js'
import type { HashedBytes, ReceiptEvidence, Work } from './types.js'

const hashes = { 'sha-256': sha256, 'sha-512': sha512, 'keccak-256': keccak_256 }

/** Hashes bytes and keeps them for `explain`. */
export function hashed(work: Work, what: string, algorithm: HashedBytes['algorithm'], bytes: Uint8Array): Hex {
  const digest = toHex(hashes[algorithm](bytes))
  if (work.options.explain) work.hashed.push({ what, algorithm, bytes: toHex(bytes), digest })
  return digest
}

/** The same of the canonical JSON of a value. */
export function hashedJson(work: Work, what: string, value: unknown): Hex {
  return hashed(work, what, 'sha-256', new TextEncoder().encode(canonicalJson(value)))
}

/** The CID of the receipt's bytes. Many steps ask for it, so it is computed once. */
export const cidOfReceipt = (work: Work): string => (work.cid ??= cidOf(work.evidence.receipt))

type Version = AnyReceipt['version']

/** The receipt, of one of these forms where a step is about those only. `step_not_run` when it could not be read. */
export function receiptOf<V extends Version = Version>(work: Work, ...versions: V[]) {
  const receipt = need(work.receipt, 'the receipt could not be read')
  const isOf = versions.length === 0 || versions.some((version) => version === receipt.version)
  return need(isOf ? (receipt as Extract<AnyReceipt, { version: V }>) : undefined, `it is no ${versions.join(' or ')}`)
}

/** The same in steps of every receipt that names the birth of its key. */
export const signatureOf = (work: Work) => receiptOf(work, 'perigee-receipt/1', 'perigee-message/1')

/** A value that an earlier step should have proved. Without it a step cannot run, which counts as a failure. */
export function need<T>(value: T | undefined, why: string): T {
  if (value === undefined) throw new ServiceError('step_not_run', `not run: ${why}`)
  return value
}

/** Evidence that a step cannot do without: `evidence_missing` where it was not given. */
export function given<Member extends 'collateral' | 'events' | 'releases'>(
  { evidence }: Work,
  member: Member,
  what: string,
  otherwise: string,
  facts: Facts = {},
): NonNullable<ReceiptEvidence[Member]> {
  const found = evidence[member]
  if (!found) throw new ServiceError('evidence_missing', whyMissing(evidence, member, what, otherwise), facts)
  return found
}

/** Real collateral is about 30 kB. */
export const maxCollateralBytes = 1024 * 1024

export function parseCollateral(bytes: Uint8Array): QuoteCollateral {
  if (bytes.length > maxCollateralBytes) throw new ServiceError('parse_failed', 'collateral is larger than 1 MiB')
  const decode = () => new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  const text = withCode('parse_failed', 'the collateral is not text in UTF-8', decode)
  return parseQuoteCollateral(text)
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
