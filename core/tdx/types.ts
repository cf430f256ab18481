import type { Hex, UnixSeconds } from '../bytes/index.js'

/** Bytes as hex digits (with or without `0x`) or as an array of numbers: collateral files come in both forms. */
export type CollateralBytes = string | readonly number[]

/** What Intel publishes about a platform, in the JSON shape `@phala/dcap-qvl` and PCCS clients use. */
export interface QuoteCollateral {
  pck_crl_issuer_chain: string
  root_ca_crl: CollateralBytes
  pck_crl: CollateralBytes
  tcb_info_issuer_chain: string
  /** The exact text Intel signed. */
  tcb_info: string
  tcb_info_signature: CollateralBytes
  qe_identity_issuer_chain: string
  /** The exact text Intel signed. */
  qe_identity: string
  qe_identity_signature: CollateralBytes
  /** Never preferred over the chain inside the quote; see `verifyQuote`. */
  pck_certificate_chain?: string | null
}

/** Intel's TCB statuses that a valid quote can have. `Revoked` is a refusal (`tcb_revoked`), never a verdict. */
export const tcbStatuses = [
  'UpToDate',
  'SWHardeningNeeded',
  'ConfigurationNeeded',
  'ConfigurationAndSWHardeningNeeded',
  'OutOfDate',
  'OutOfDateConfigurationNeeded',
  'TDRelaunchAdvised',
  'TDRelaunchAdvisedConfigurationNeeded',
] as const
export type TcbStatus = (typeof tcbStatuses)[number]

/** The TD's own measurements and settings, as the quote's body carries them. */
export interface TdReport {
  teeTcbSvn: Hex
  mrSeam: Hex
  mrSignerSeam: Hex
  seamAttributes: Hex
  tdAttributes: Hex
  xfam: Hex
  mrTd: Hex
  mrConfigId: Hex
  mrOwner: Hex
  mrOwnerConfig: Hex
  rtmr0: Hex
  rtmr1: Hex
  rtmr2: Hex
  rtmr3: Hex
  reportData: Hex
  /** From TD report 1.5 on. */
  teeTcbSvn2?: Hex
  mrServiceTd?: Hex
  /** TD report 1.5ex only: the service TD, or migration policy, of the TD's first host and of now. */
  initServerTdHash?: Hex
  currServerTdHash?: Hex
}

/** 1.5ex is 1.5 with what a service TD and a migration leave behind. */
export type TdReportVersion = '1.0' | '1.5' | '1.5ex'

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
