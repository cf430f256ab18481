import type { UnixSeconds } from '../bytes/index.js'
import { ServiceError } from '../errors/index.js'
import { authenticateVek, type AuthenticVek } from './authenticateVek.js'
import type { SnpEvidence, SnpVerdict } from './types.js'
import { verifySnpReport } from './verifySnpReport.js'

/**
 * Verifies a report under the root that its chain ends in: each generation of chips has its own. Only a chain that does
 * not end in one root is tried under the next; any other refusal is final. The verdict names the root.
 */
export function verifyUnderRoots(
  roots: readonly Uint8Array[],
  evidence: Omit<SnpEvidence, 'root'>,
  now: UnixSeconds,
): Promise<SnpVerdict> {
  return underOne(roots, (root) => verifySnpReport({ ...evidence, root }, { now }))
}

/** Verifies a chain, as far as it does not depend on the time, under the root that it ends in. */
export function authenticateUnderRoots(
  roots: readonly Uint8Array[],
  chain: Pick<SnpEvidence, 'vek' | 'intermediate'>,
): Promise<AuthenticVek> {
  return underOne(roots, (root) => authenticateVek({ ...chain, root }))
}

async function underOne<T>(roots: readonly Uint8Array[], verify: (root: Uint8Array) => Promise<T>): Promise<T> {
  let refusal: unknown = new ServiceError('platform_not_allowed', 'no SNP root is configured')
  for (const root of roots) {
    try {
      return await verify(root)
    } catch (error) {
      refusal = error
      if (!(error instanceof ServiceError) || error.code !== 'vek_chain') break
    }
  }
  throw refusal
}
