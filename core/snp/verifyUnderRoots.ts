import type { UnixSeconds } from '../bytes/index.js'
import { ServiceError } from '../errors/index.js'
import type { SnpEvidence, SnpVerdict } from './types.js'
import { verifySnpReport } from './verifySnpReport.js'

/**
 * Verifies a report under the root that its chain ends in: each generation of chips has its own. Only a chain that does
 * not end in one root is tried under the next; any other refusal is final. The verdict names the root.
 */
export async function verifyUnderRoots(
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
      if (!(error instanceof ServiceError) || error.code !== 'vek_chain') break
    }
  }
  throw refusal
}
