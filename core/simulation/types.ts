import type { Hex } from '../bytes/index.js'
import type { SnpTcb } from '../snp/index.js'
import type { TdReport } from '../tdx/index.js'

/** What a simulated TDX platform holds (`<SIMULATION_DIR>/tdx/quote-keys.json`). Real hardware keeps these inside. */
export interface TdxQuoteKeys {
  /** P-256 scalars, 32 bytes. */
  pckPrivateKey: Hex
  attestationPrivateKey: Hex
  /** PEM: PCK leaf, PCK CA, root. */
  pckChain: string
}

/** A quote to mint. Members left out take the simulated platform's defaults. */
export interface QuoteToMint extends Partial<Omit<TdReport, 'reportData'>> {
  reportData: Uint8Array
  /** 4 when left out. Version 5 carries TD report 1.5. */
  version?: 4 | 5
}

/** What a simulated SNP chip holds (`<SIMULATION_DIR>/snp/report-keys.json`). */
export interface SnpReportKeys {
  /** P-384 scalar, 48 bytes. */
  vekPrivateKey: Hex
  chipId: Hex
  tcb: SnpTcb
}

export interface SnpReportToMint {
  reportData: Uint8Array
  /** 3 when left out. */
  version?: 2 | 3 | 4 | 5
  measurement?: Hex
  hostData?: Hex
  policy?: bigint
  vmpl?: number
  guestSvn?: number
}
