import { sha256 } from '@noble/hashes/sha2'
import { equalBytes, toHex } from '../bytes/index.js'
import { ServiceError, withCodeAsync } from '../errors/index.js'
import { isEcdsaSigned, requireTime } from '../x509/index.js'
import { authenticateVek, checkVekTime, type AuthenticVek } from './authenticateVek.js'
import {
  checkReserved,
  parseSnpReportParts,
  readTcb,
  reservedTcb,
  type SnpProduct,
  type SnpReportParts,
  type SnpTcb,
} from './parseSnpReport.js'
import { checkNotRevoked, verifySnpCrl } from './checkAgainstCrls.js'
import type { SnpEvidence, SnpOptions, SnpVerdict } from './types.js'

/**
 * Verifies an SEV-SNP report (version 2 to 5) offline, as of `now`, under the ARK the caller trusts. Throws a ServiceError.
 *
 * The first fault in this order names the code: form, certificate chain and its kind, validity, revocation, report
 * signature, product, TCB, chip id, guest policy, VMPL. A report carries no time of its own.
 */
export async function verifySnpReport(evidence: SnpEvidence, options: SnpOptions): Promise<SnpVerdict> {
  // Every fault in the input has its own code. This one would be a bug of ours, and the tests look for it.
  return withCodeAsync('internal_error', 'the report verifier failed', async () => {
    requireTime(options?.now)
    const report = parseSnpReportParts(evidence?.report)
    const authentic = await authenticateVek(evidence)
    if (authentic.kind !== report.fields.signingKey) {
      throw new ServiceError('vek_chain', 'the report says another kind of key signed it', {
        report: report.fields.signingKey,
        certificate: authentic.kind,
      })
    }
    checkVekTime(authentic, options.now)
    if (options.crl !== undefined) {
      checkNotRevoked(authentic, await verifySnpCrl(options.crl, authentic.root, options.now))
    }
    if (!(await isEcdsaSigned(authentic.key, 'SHA-384', report.signed, report.signature))) {
      throw new ServiceError('report_signature', 'the certified key did not sign this report')
    }
    checkReserved(report)
    checkProduct(report, authentic)
    const tcbs = checkTcb(report, authentic)
    checkChipId(report, authentic)
    checkGuestPolicy(report)
    checkVmpl(report.fields.vmpl, options.vmpl)
    return describe(report, authentic, tcbs, options.now)
  })
}

/** From version 3 on the report says which CPU made it. AMD 56860, and the CPUID family and model of each product. */
function checkProduct(report: SnpReportParts, { extensions, intermediate, root }: AuthenticVek): void {
  const { product } = extensions
  const names = [intermediate.commonName, root.commonName]
  const others = (['Milan', 'Genoa', 'Turin'] as const).filter((other) => other !== product)
  const cpu = report.cpu && productOf(report.cpu)
  if ((report.cpu && cpu !== product) || others.some((other) => names.some((name) => name.includes(other)))) {
    throw new ServiceError('product_mismatch', 'report, certificate and chain are not of one product', {
      certificate: product,
      report: cpu ?? 'unknown',
      chain: names.join(', '),
    })
  }
}

function productOf({ family, model }: { family: number; model: number }): SnpProduct | undefined {
  if (family === 0x19 && model <= 0x0f) return 'Milan'
  if (family === 0x19 && ((model >= 0x10 && model <= 0x1f) || (model >= 0xa0 && model <= 0xaf))) return 'Genoa'
  if (family === 0x1a && model <= 0x1f) return 'Turin'
  return undefined
}

/** The key is derived from the TCB it is certified for, so the reported TCB must equal it; no TCB is above the current one. */
function checkTcb(report: SnpReportParts, { extensions }: AuthenticVek) {
  const { product, tcb } = extensions
  const { reportedTcb, currentTcb, committedTcb, launchTcb } = report
  const raw = [reportedTcb, currentTcb, committedTcb, launchTcb]
  const tcbs = {
    reportedTcb: readTcb(reportedTcb, product),
    currentTcb: readTcb(currentTcb, product),
    committedTcb: readTcb(committedTcb, product),
    launchTcb: readTcb(launchTcb, product),
  }
  const isReservedUsed = raw.some((bytes) => reservedTcb(bytes, product).some((byte) => byte !== 0))
  const isCertified = (Object.keys(tcb) as (keyof SnpTcb)[]).every((part) => tcb[part] === tcbs.reportedTcb[part])
  const isInOrder = isAtMost(tcbs.reportedTcb, tcbs.currentTcb) && isAtMost(tcbs.committedTcb, tcbs.currentTcb)
  if (!isCertified || isReservedUsed || !isInOrder) {
    throw new ServiceError('tcb_mismatch', 'the report’s TCB is not the one its key is certified for', {
      reported: toHex(reportedTcb),
      current: toHex(currentTcb),
      committed: toHex(committedTcb),
    })
  }
  return tcbs
}

function isAtMost(a: SnpTcb, b: SnpTcb): boolean {
  return (Object.keys(a) as (keyof SnpTcb)[]).every((part) => (a[part] ?? 0) <= (b[part] ?? 0))
}

/** A VCEK is one chip's. The owner may mask the id in reports (all zero); the certificate still names the chip. */
function checkChipId(report: SnpReportParts, { kind, extensions }: AuthenticVek): void {
  if (kind === 'VLEK') return // a VLEK is a provider's, shared by its machines
  const { hardwareId } = extensions
  if (!hardwareId) throw new ServiceError('vek_chain', 'a VCEK names its chip; this one does not')
  if (report.chipId.every((byte) => byte === 0)) return
  const id = report.chipId.subarray(0, hardwareId.length)
  if (!equalBytes(id, hardwareId) || report.chipId.subarray(hardwareId.length).some((byte) => byte !== 0)) {
    throw new ServiceError('chip_id_mismatch', 'the report and the certificate are of different chips', {
      report: toHex(report.chipId),
      certificate: toHex(hardwareId),
    })
  }
}

const migrateMa = 1n << 18n
const debug = 1n << 19n

function checkGuestPolicy({ policy }: SnpReportParts): void {
  const facts = { policy: `0x${policy.toString(16)}` }
  if (policy & debug) throw new ServiceError('policy_debug', 'the guest may be debugged: its host can read it', facts)
  if (policy & migrateMa) throw new ServiceError('policy_migration', 'a migration agent may move the guest', facts)
}

/** Above 3 the host requested the report itself. */
function checkVmpl(vmpl: number, wanted: number | undefined): void {
  if (vmpl > 3 || (wanted !== undefined && vmpl !== wanted)) {
    throw new ServiceError('vmpl_mismatch', 'the report comes from another privilege level', {
      vmpl,
      wanted: wanted ?? 'any',
    })
  }
}

function describe(
  report: SnpReportParts,
  authentic: AuthenticVek,
  tcbs: ReturnType<typeof checkTcb>,
  now: number,
): SnpVerdict {
  const { hardwareId, cspId, product } = authentic.extensions
  return {
    ...report.fields,
    ...tcbs,
    reportVersion: report.version,
    product,
    policy: `0x${report.policy.toString(16).padStart(16, '0')}`,
    chipId: toHex(report.chipId),
    ...(hardwareId && authentic.kind === 'VCEK' ? { hardwareId: toHex(hardwareId) } : {}),
    ...(cspId === undefined ? {} : { cspId }),
    rootFingerprint: toHex(sha256(authentic.root.der)),
    verifiedAt: now,
  }
}
