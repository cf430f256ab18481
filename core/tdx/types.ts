import type { Hex, UnixSeconds } from '../bytes/index.js'
import type { TdReport, TdReportVersion } from './quote/parseQuoteParts.js'

/** Intel's statuses of a platform's TCB level. `Revoked` is a refusal (`tcb_revoked`), never a verdict. */
export const levelStatuses = [
  'UpToDate',
  'SWHardeningNeeded',
  'ConfigurationNeeded',
  'ConfigurationAndSWHardeningNeeded',
  'OutOfDate',
  'OutOfDateConfigurationNeeded',
] as const
/** Those that a valid quote can have. */
export const tcbStatuses = [...levelStatuses, 'TDRelaunchAdvised', 'TDRelaunchAdvisedConfigurationNeeded'] as const
export type TcbStatus = (typeof tcbStatuses)[number]

/** What a quote and its PCK certificate say. */
interface QuoteFacts extends TdReport {
  quoteVersion: 4 | 5
  tdReportVersion: TdReportVersion
  fmspc: Hex
  pceId: Hex
  /** The platform's id, from the PCK certificate. */
  ppid: Hex
  platformInstanceId?: Hex
  ca: 'processor' | 'platform'
}

/** What `verifyQuote` proved. Whether such a platform may sign is policy: `checkQuotePolicy`. */
export interface QuoteVerdict extends QuoteFacts {
  tcbStatus: TcbStatus
  /** Sorted, without duplicates. */
  advisoryIds: string[]
  /** The oldest `tcbDate` of the levels that decided the status (platform, module, QE): grace windows count from it. */
  tcbDate: UnixSeconds
  /** The same of what runs now. Only from TD report 1.5 on: the three above are about the launch. */
  currentTcbStatus?: TcbStatus
  currentAdvisoryIds?: string[]
  currentTcbDate?: UnixSeconds
  /** The lower of the TCB info's and the QE identity's number. Grows with every recovery; a lower one is a rollback. */
  tcbEvaluationDataNumber: number
  /** SHA-256 of the DER of the root the caller trusted. */
  rootFingerprint: Hex
  verifiedAt: UnixSeconds
  /** When the oldest of TCB info, QE identity and PCK CRL was issued. */
  collateralIssuedAt: UnixSeconds
  /** From this second on, the same collateral is refused. */
  collateralExpiresAt: UnixSeconds
}

/** A parsed, unverified quote: enough to know which collateral to fetch. Everything here is the sender's claim. */
export interface ParsedQuote extends QuoteFacts {
  /** DER, leaf first, from the quote itself. */
  pckChain: Uint8Array[]
}
