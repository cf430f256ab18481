/** A report, and the certificates if the host supplies them. */
interface SnpReportAnswer {
  report: Uint8Array
  vek?: Uint8Array
  intermediate?: Uint8Array
}

/** An SEV-SNP machine, or its simulation. */
export interface SnpPlatform {
  /** A report whose REPORT_DATA is exactly these 64 bytes. */
  report(reportData: Uint8Array): Promise<SnpReportAnswer>
}
