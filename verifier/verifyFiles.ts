import { ServiceError, type Facts } from '@perigee/core/errors'
import { verifySnpReport, type SnpVerdict } from '@perigee/core/snp'
import { parseQuoteCollateral, verifyQuote, type QuoteVerdict } from '@perigee/core/tdx'
import { decodeBinary, decodeCertificate, decodeJson, readFile } from './sources/readFile.js'
import type { QuoteCommand, SnpReportCommand } from './parseArguments.js'

/** Printed by `quote` and `snp-report`. `accept` means authentic and sound; policy is not checked. */
export type FileVerdict =
  ({ accept: true } & (QuoteVerdict | SnpVerdict)) | { accept: false; code: string; detail: string; facts: Facts }

/** Verifies a quote file against the given collateral, root and time. */
export function verifyQuoteFile(command: QuoteCommand, cwd: string): Promise<FileVerdict> {
  return verdictOf(async () => {
    const quote = decodeBinary(await readFile(cwd, command.file))
    const collateral = await readFile(cwd, command.collateral)
    const root = decodeCertificate(await readFile(cwd, command.root))
    return verifyQuote(quote, parseQuoteCollateral(decodeJson(collateral, 'collateral')), root, command.at)
  })
}

/** Verifies an SNP report file against the given certificates and time. */
export function verifySnpReportFile(command: SnpReportCommand, cwd: string): Promise<FileVerdict> {
  return verdictOf(async () => {
    const report = decodeBinary(await readFile(cwd, command.file))
    const vek = decodeCertificate(await readFile(cwd, command.vek))
    const intermediate = decodeCertificate(await readFile(cwd, command.intermediate))
    const root = decodeCertificate(await readFile(cwd, command.root))
    const vmpl = command.vmpl === undefined ? {} : { vmpl: command.vmpl }
    const crl = command.crl === undefined ? {} : { crl: decodeBinary(await readFile(cwd, command.crl)) }
    return verifySnpReport({ report, vek, intermediate, root }, { now: command.at, ...vmpl, ...crl })
  })
}

async function verdictOf(work: () => Promise<QuoteVerdict | SnpVerdict>): Promise<FileVerdict> {
  try {
    return { accept: true, ...(await work()) }
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error
    return { accept: false, code: error.code, detail: error.message, facts: error.facts }
  }
}
