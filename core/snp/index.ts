export type { SnpEvidence, SnpOptions, SnpProduct, SnpTcb, SnpVerdict } from './types.js'
export { verifySnpReport } from './verifySnpReport.js'
