import { createHash } from 'node:crypto'
import { fromHex, ServiceError, toHex, type Hex, type UnixSeconds } from '@perigee/core'
import { verifyStatement, type SignedStatement, type Stated } from '@perigee/core/authorisation'
import { encodeCoordinatorBinding, reportData } from '@perigee/core/binding'
import type { CoordinatorEvidence } from '@perigee/core/enclave'
import { clockSkewSeconds } from '@perigee/core/entropy'
import { checkCoordinatorBuild, type MeasurementRelease, type ReleaseKeeper } from '@perigee/core/measurements'
import { verifyUnderRoots } from '@perigee/core/snp'
import { createVerifiedCache } from '@perigee/core/x509'

export interface CoordinatorTrustOptions {
  /** DER of the roots a report may end in: AMD's own, or the simulation's. */
  roots: readonly Uint8Array[]
  /** The signed list of published builds: measurement, minimum TCB and VMPL of each coordinator. */
  releases: Pick<ReleaseKeeper, 'current'>
  /** Whether builds that the list marks as simulated may ask. */
  simulated: boolean
  now(): UnixSeconds
}

/** A report may be used this long after it was made, as its own REPORT_DATA says. */
const maxReportSeconds = 86_400
/** A verified report is not verified again for this long. */
const verdictSeconds = 600
const rememberedReports = 64

/**
 * Verifies who asks: the coordinator's SNP report in full, and the statement that the attested process signed about
 * exactly this request. The verdict on a report is kept by its hash until the list changes; what REPORT_DATA binds is
 * compared every time.
 */
export function createCoordinatorTrust({ roots, releases, simulated, now }: CoordinatorTrustOptions) {
  // The key is the report alone: list, binding and time are compared at every use.
  const verified = createVerifiedCache<{ bound: Hex; until: UnixSeconds; release: MeasurementRelease }>(
    rememberedReports,
  )

  async function verifyReport(evidence: CoordinatorEvidence, release: MeasurementRelease): Promise<Hex> {
    const report = fromHex(evidence.report)
    const [vek, intermediate] = [fromHex(evidence.vek), fromHex(evidence.intermediate)]
    const verdict = await verifyUnderRoots(roots, { report, vek, intermediate }, now())
    const build = checkCoordinatorBuild(verdict, release)
    if (build.simulated && !simulated) {
      throw new ServiceError('development_root', 'a simulated coordinator may not ask an enclave on real hardware')
    }
    return verdict.reportData
  }

  /** SHA-256 of the report, which the quote binds. Throws unless a published coordinator made this statement. */
  return async function verifyAsker(
    request: { coordinator: CoordinatorEvidence; statement: SignedStatement },
    about: Stated,
  ): Promise<Hex> {
    const { coordinator, statement } = request
    checkReportTime(coordinator, now())
    const reportHash = toHex(createHash('sha256').update(fromHex(coordinator.report)).digest())
    let known = verified.get(reportHash)
    const release = releases.current(now())
    if (!known || known.until < now() || known.release !== release) {
      const bound = await verifyReport(coordinator, release)
      known = { bound, release, until: Math.min(coordinator.expiresAt, now() + verdictSeconds) }
    }
    if (known.bound !== reportData(encodeCoordinatorBinding(coordinator))) {
      throw new ServiceError('coordinator_binding_mismatch', 'the report binds another identity, nonce or expiry')
    }
    verified.set(reportHash, known)
    await verifyStatement(statement, about, coordinator.identity.requestKey, now())
    return reportHash
  }
}

export type VerifyAsker = ReturnType<typeof createCoordinatorTrust>

function checkReportTime({ expiresAt }: CoordinatorEvidence, now: UnixSeconds): void {
  if (now > expiresAt) {
    throw new ServiceError('coordinator_expired', 'the coordinator’s report has expired', { expiresAt, now })
  }
  if (expiresAt > now + maxReportSeconds + clockSkewSeconds) {
    throw new ServiceError('statement_invalid', 'the coordinator’s report claims too long a life', { expiresAt, now })
  }
}
