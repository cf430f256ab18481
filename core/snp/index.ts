// verifySnpReport(evidence: SnpEvidence, options: SnpOptions): Promise<SnpVerdict>
// parseSnpReport(report: Uint8Array): ParsedSnpReport
export type { SnpEvidence, SnpOptions, SnpProduct, SnpTcb, SnpVerdict } from './types.js'
