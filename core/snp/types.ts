import type { Hex, UnixSeconds } from '../bytes/index.js'
import type { SnpProduct, SnpReportParts, SnpTcb } from './parseSnpReport.js'

/** A report and the certificates it needs. Certificates are DER or PEM bytes. The root is the caller's own trust anchor. */
export interface SnpEvidence {
  report: Uint8Array
  /** The chip's (VCEK) or the cloud provider's (VLEK) signing certificate. */
  vek: Uint8Array
  /** AMD's ASK for a VCEK, ASVK for a VLEK. */
  intermediate: Uint8Array
  /** AMD's ARK, chosen by configuration. */
  root: Uint8Array
}

export interface SnpOptions {
  now: UnixSeconds
  /** When given, the report must come from exactly this privilege level. */
  vmpl?: number
  /** ARK's CRL (DER). When given it must be authentic and fresh, and the intermediate must not be on it. */
  crl?: Uint8Array
}

/** What `verifySnpReport` proved. Which builds may serve is for `checkCoordinatorBuild` to say, which chips for `checkSnpPolicy`. */
export type SnpVerdict = SnpReportParts['fields'] & {
  reportVersion: number
  product: SnpProduct
  policy: Hex
  /** All zero when the owner masked it. */
  chipId: Hex
  reportedTcb: SnpTcb
  currentTcb: SnpTcb
  committedTcb: SnpTcb
  launchTcb: SnpTcb
  /** VCEK only: the chip the certificate names, which holds even when the report masks its chip id. 8 bytes on Turin. */
  hardwareId?: Hex
  /** VLEK only: which cloud provider's key signed. */
  cspId?: string
  /** SHA-256 of the DER of the root the caller trusted. */
  rootFingerprint: Hex
  verifiedAt: UnixSeconds
}
