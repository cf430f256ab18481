export { mintCertificate, mintCrl, type CertificateToMint } from './mintCertificate.js'
export { mintCollateral, tcbLevel, tdxModuleIdentity, type CollateralToMint } from './mintCollateral.js'
export { mintSnpPki, snpNames, vekCertificate } from './mintSnpPki.js'
export {
  mintTdxPki,
  pckExtension,
  sgxOid,
  tdxNames,
  tdxSerials,
  type TdxAuthority,
  type TdxPrivateKeys,
  type TdxSpoil,
} from './mintTdxPki.js'
export { createRsaKeys, ecdsaSigner, ecPublicKey, rsaPublicKey, rsaSigner, type SnpRsaKeys } from './signers.js'
