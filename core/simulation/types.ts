import type { Hex } from '../bytes/index.js'
import type { SnpProduct, SnpTcb } from '../snp/index.js'
import type { TdReport, TdReportVersion } from '../tdx/index.js'

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
  /** 4 when left out. */
  version?: 4 | 5
  /** What version 5 carries: 1.5 when left out. Version 4 carries 1.0 always. */
  tdReportVersion?: TdReportVersion
  /** The quoting enclave's own report, where it differs. */
  qe?: Partial<{
    mrSigner: Hex
    isvProdId: number
    isvSvn: number
    attributes: Hex
    miscSelect: Hex
  }>
}

/** What a simulated SNP chip holds (`<SIMULATION_DIR>/snp/report-keys.json`). */
export interface SnpReportKeys {
  /** P-384 scalar, 48 bytes. */
  vekPrivateKey: Hex
  /** 64 bytes, 8 on Turin. */
  chipId: Hex
  tcb: SnpTcb
  /** Milan when left out. */
  product?: SnpProduct
}

export interface SnpReportToMint {
  reportData: Uint8Array
  /** 3 when left out. */
  version?: 2 | 3 | 4 | 5
  measurement?: Hex
  hostData?: Hex
  policy?: bigint
  vmpl?: number
  signingKey?: 'VCEK' | 'VLEK'
  /** The owner may tell the chip to leave its id out. */
  maskChipId?: boolean
  /** A TCB other than the one the key is certified for: such a report is refused. */
  tcb?: SnpTcb
  cpu?: SnpProduct
}
