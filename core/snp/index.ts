export type { SnpEvidence, SnpProduct, SnpTcb, SnpVerdict } from './types.js'
export { verifySnpReport } from './verifySnpReport.js'
export { verifyUnderRoots } from './verifyUnderRoots.js'
