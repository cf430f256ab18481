export { checkNotRevoked, verifySnpCrl, type AuthenticVek, type SnpCrl } from './authenticateVek.js'
export type { SnpEvidence, SnpProduct, SnpTcb, SnpVerdict } from './types.js'
export { verifySnpReport } from './verifySnpReport.js'
export { authenticateUnderRoots, verifyUnderRoots } from './verifyUnderRoots.js'
