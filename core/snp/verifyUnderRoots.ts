import { equalBytes, type UnixSeconds } from '../bytes/index.js'
import { ServiceError } from '../errors/index.js'
import { decodeCertificateFile, parseCertificate } from '../x509/index.js'
import { authenticateVek, type AuthenticVek } from './authenticateVek.js'
import type { SnpEvidence, SnpVerdict } from './types.js'
import { verifySnpReport } from './verifySnpReport.js'

/**
 * Verifies a report under the root that its chain ends in: each generation of chips has its own. A chain that fails under
 * one root is tried under the next; any other refusal is final. When all refuse, the one that the chain names says why.
 * The verdict names the root.
 */
export function verifyUnderRoots(
  roots: readonly Uint8Array[],
  evidence: Omit<SnpEvidence, 'root'>,
  now: UnixSeconds,
): Promise<SnpVerdict> {
  return underOne(roots, evidence.intermediate, (root) => verifySnpReport({ ...evidence, root }, { now }))
}

/** Verifies a chain, as far as it does not depend on the time, under the root that it ends in. */
export function authenticateUnderRoots(
  roots: readonly Uint8Array[],
  chain: Pick<SnpEvidence, 'vek' | 'intermediate'>,
): Promise<AuthenticVek> {
  return underOne(roots, chain.intermediate, (root) => authenticateVek({ ...chain, root }))
}

async function underOne<T>(
  roots: readonly Uint8Array[],
  intermediate: Uint8Array,
  verify: (root: Uint8Array) => Promise<T>,
): Promise<T> {
  let refusal: unknown = new ServiceError('platform_not_allowed', 'no SNP root is configured')
  let ofItsRoot: unknown
  for (const root of roots) {
    try {
      return await verify(root)
    } catch (error) {
      if (!(error instanceof ServiceError) || error.code !== 'vek_chain') throw error
      refusal = error
      if (namesAsIssuer(intermediate, root)) ofItsRoot ??= error
    }
  }
  throw ofItsRoot ?? refusal
}

/** Both are well-formed: `vek_chain` is found only after they were parsed. */
function namesAsIssuer(intermediate: Uint8Array, root: Uint8Array): boolean {
  const parse = (file: Uint8Array) => parseCertificate(decodeCertificateFile(file))
  return equalBytes(parse(intermediate).issuer, parse(root).subject)
}
