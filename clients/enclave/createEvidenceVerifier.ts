import { LRUCache } from 'lru-cache'
import { fromHex, ServiceError, type Hex, type UnixSeconds } from '@perigee/core'
import { reportData } from '@perigee/core/binding'
import type { CoordinatorEvidence, EnclaveEvidence } from '@perigee/core/enclave'
import { checkCoordinatorBuild, checkEnclaveBuild, type MeasurementRelease } from '@perigee/core/measurements'
import { checkQuotePolicy } from '@perigee/core/policy'
import { isVendorRoot } from '@perigee/core/receipt'
import { verifyUnderRoots } from '@perigee/core/snp'
import { verifyQuote } from '@perigee/core/tdx'
import { verifySignerOf } from '@perigee/core/transaction'
import type {
  EvidenceVerifier,
  EvidenceVerifierOptions,
  QuotedSignature,
  SignedRequest,
  VerifiedEvidence,
} from './EvidenceVerifier.js'
import { boundByChangeOwners, boundByCreateKey, boundByReseal, checkKeyName, hashOfBytes } from './keyEvidence.js'
import { boundBySignature } from './signEvidence.js'
import { recoverAddress } from './secp256k1.js'

/** Verifies an enclave's answers as a stranger would: the quote, then build and policy, then that it is about our request. */
export function createEvidenceVerifier(options: EvidenceVerifierOptions): EvidenceVerifier {
  const { maxClockSkewSeconds = 120, now = () => Math.floor(Date.now() / 1000) } = options

  async function verifyEvidence(
    evidence: EnclaveEvidence,
    binding: Uint8Array,
    saidAt: UnixSeconds,
    coordinator: CoordinatorEvidence,
  ): Promise<VerifiedEvidence> {
    const at = now()
    if (Math.abs(at - saidAt) > maxClockSkewSeconds) {
      throw new ServiceError('binding_mismatch', 'the enclave clock is far from ours', { saidAt, at })
    }
    await options.revocation.requireNotRevoked(coordinator)
    const { developmentRoot, ...verified } = await verifyNow(evidence.quote, at)
    const { verdict } = verified
    const build = checkEnclaveBuild(verdict, evidence.runtimeEvents, options.releases.current(at))
    // A valid quote of the right build may still be about another request.
    if (verdict.reportData !== reportData(binding)) {
      throw new ServiceError('binding_mismatch', 'the quote is about another answer')
    }
    return { ...verified, simulated: developmentRoot || build.simulated }
  }

  /** The quote itself, with the newest collateral, and the policy about platforms. */
  async function verifyNow(quote: Hex, at: UnixSeconds) {
    const { collateral, cid, bytes } = await options.collateral.collateralFor(quote)
    const verdict = await verifyQuote(fromHex(quote), collateral, options.tdxRoot, at)
    const developmentRoot = !isVendorRoot('intel', verdict.rootFingerprint)
    if (developmentRoot && !options.allowDevelopmentRoot) {
      throw new ServiceError('development_root', 'the quote ends in a development root', { rootFingerprint: verdict.rootFingerprint }) // prettier-ignore
    }
    checkQuotePolicy(verdict, options.policy, at)
    return { verdict, developmentRoot, collateralCid: cid, collateralBytes: bytes }
  }

  /** Coordinators verified under the list of builds in force, by what receipts say about their report; most share one. */
  const coordinators = new LRUCache<string, { simulated: boolean; release: MeasurementRelease }>({ max: 64 })

  /** The enclave has verified the report. What only the receipt says about it is compared here: root, hash and time. */
  async function verifyCoordinator(coordinator: SignedRequest['coordinator']): Promise<{ simulated: boolean }> {
    const { report, reportHash, vek, intermediate, rootFingerprint, fetchedAt, expiresAt } = coordinator
    const key = JSON.stringify(coordinator)
    const known = coordinators.get(key)
    const release = options.releases.current(now())
    if (known?.release === release) return known
    if (fetchedAt > Math.min(now() + maxClockSkewSeconds, expiresAt)) {
      throw new ServiceError('binding_mismatch', 'the coordinator’s report is from the future', { fetchedAt })
    }
    const evidence = { report: fromHex(report), vek: fromHex(vek), intermediate: fromHex(intermediate) }
    const verdict = await verifyUnderRoots(options.snpRoots, evidence, fetchedAt)
    if (verdict.rootFingerprint !== rootFingerprint || hashOfBytes(report) !== reportHash) {
      throw new ServiceError('binding_mismatch', 'the coordinator’s report has another root or hash')
    }
    const { simulated } = checkCoordinatorBuild(verdict, release)
    const found = { simulated: simulated || !isVendorRoot('amd', rootFingerprint), release }
    coordinators.set(key, found)
    return found
  }

  async function verifySignature(quote: QuotedSignature): Promise<VerifiedEvidence> {
    const { address, coordinator } = quote.request
    const { digest, binding } = boundBySignature(quote)
    // The quote's signatures are checked on other threads; the recovery of the signer fills the wait.
    const evidence = verifyEvidence(quote.answer, binding, quote.answer.signedAt, coordinator)
    evidence.catch(() => undefined) // awaited below, if the signer is right
    await verifySignerOf(digest, quote.answer.signature, address, recoverAddress)
    const { simulated } = await verifyCoordinator(coordinator)
    const verified = await evidence
    return { ...verified, simulated: verified.simulated || simulated }
  }

  return {
    async verify(quote) {
      const { keyId, address } = quote.kind === 'create' ? quote.answer : quote.request
      const { coordinator } = quote.request
      checkKeyName(keyId, quote.answer.publicKey, address)
      switch (quote.kind) {
        case 'sign':
          return verifySignature(quote)
        case 'create': {
          const { answer, request } = quote
          const verified = await verifyEvidence(answer, boundByCreateKey(quote), answer.createdAt, coordinator)
          const { simulated } = await verifyCoordinator(request.coordinator)
          return { ...verified, simulated: verified.simulated || simulated }
        }
        case 'owners':
          return verifyEvidence(quote.answer, boundByChangeOwners(quote), quote.answer.changedAt, coordinator)
        case 'reseal':
          return verifyEvidence(quote.answer, boundByReseal(quote), quote.answer.resealedAt, coordinator)
      }
    },
    verifyQuoteAgain: (quote) => verifyNow(quote, now()),
  }
}
