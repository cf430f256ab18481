export { oid, sequence, der, integer } from './derWriter.js'
export { mintCertificate, mintCrl, ecdsaSigner, publicKeyOf } from './mintCertificate.js'
export type { CertificateSigner, CertificateToMint, CrlToMint } from './mintCertificate.js'
export { mintCollateral, tcbLevel, tdxModuleIdentity, type CollateralToMint } from './mintCollateral.js'
export { createQuotingEnclave, mintQuote } from './mintQuote.js'
export { mintSnpReport, vekCertificate } from './mintSnpReport.js'
export { mintTdxPki, pckExtension, sgxOid, tdxNames, tdxSerials, type TdxSpoil } from './mintTdxPki.js'
export { parseSnpReportKeys, parseTdxQuoteKeys } from './parseKeys.js'
export { simulatedDigest, simulatedMeasurements, simulatedPlatform } from './platform.js'
export type {
  QuoteToMint,
  SnpReportKeys,
  SnpReportToMint,
  TdxAuthority,
  TdxPrivateKeys,
  TdxQuoteKeys,
} from './types.js'
