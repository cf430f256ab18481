import { ServiceError, type UnixSeconds } from '@perigee/core'
import { verifySnpReport, type SnpEvidence, type SnpVerdict } from '@perigee/core/snp'

/** Tries each root, since each generation of chips has its own, and throws the last refusal. The verdict names the root. */
export async function verifyUnderOneOf(
  roots: readonly Uint8Array[],
  evidence: Omit<SnpEvidence, 'root'>,
  now: UnixSeconds,
): Promise<SnpVerdict> {
  let refusal: unknown = new ServiceError('platform_not_allowed', 'no SNP root is configured')
  for (const root of roots) {
    try {
      return await verifySnpReport({ ...evidence, root }, { now })
    } catch (error) {
      refusal = error
    }
  }
  throw refusal
}
