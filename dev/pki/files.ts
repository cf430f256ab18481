/** Where the development PKI's files are, below `SIMULATION_DIR`. Made and renewed by `createSimulationPki(dir)`. */
export const simulationFiles = {
  /** DER, self-signed: the root that a simulated stack trusts for TDX. */
  tdxRoot: 'tdx/root.der',
  /** JSON, `TdxQuoteKeys` of core/simulation: what the simulated enclave platform signs with. */
  tdxQuoteKeys: 'tdx/quote-keys.json',
  /** JSON, `QuoteCollateral`: renewed before it expires, so do not cache it. */
  tdxCollateral: 'tdx/collateral.json',
  /** DER certificates of the simulated chip. */
  snpRoot: 'snp/ark.der',
  snpIntermediate: 'snp/ask.der',
  snpVek: 'snp/vcek.der',
  /** DER: the ARK's list of revoked certificates. */
  snpCrl: 'snp/crl.der',
  /** JSON, `SnpReportKeys` of core/simulation. */
  snpReportKeys: 'snp/report-keys.json',
} as const
