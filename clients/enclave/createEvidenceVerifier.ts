import { sha256 } from '@noble/hashes/sha2'
import {
  fromHex,
  ServiceError,
  toHex,
  verifyDigest,
  verifySigner,
  withCode,
  type Hex,
  type UnixSeconds,
} from '@perigee/core'
import { encodeCreateKeyBinding, encodeSignBinding, reportData } from '@perigee/core/binding'
import { entropyWitnessHash } from '@perigee/core/entropy'
import { keyIdOf, type EnclaveEvidence } from '@perigee/core/enclave'
import { checkEnclaveBuild, type MeasurementRelease } from '@perigee/core/measurements'
import { checkQuotePolicy, type QuotePolicy } from '@perigee/core/policy'
import { isVendorRoot } from '@perigee/core/receipt'
import { verifyQuote } from '@perigee/core/tdx'
import type { CollateralSupply } from '../collateral/CollateralSupply.js'
import type { EvidenceVerifier, VerifiedEvidence } from './EvidenceVerifier.js'
import { addressOfKey, recoverAddress } from './secp256k1.js'

export interface EvidenceVerifierOptions {
  collateral: CollateralSupply
  /** DER of the only root a quote may end in. */
  tdxRoot: Uint8Array
  release: MeasurementRelease
  policy: Omit<QuotePolicy, 'measurements'>
  /** False wherever a development root must never pass. */
  allowDevelopmentRoot: boolean
  /** How far the enclave's clock may be from ours. */
  maxClockSkewSeconds?: number
  now?(): UnixSeconds
}

/** Verifies an enclave's answers as a stranger would: the quote, then build and policy, then that it is about our request. */
export function createEvidenceVerifier(options: EvidenceVerifierOptions): EvidenceVerifier {
  const { maxClockSkewSeconds = 120, now = () => Math.floor(Date.now() / 1000) } = options

  async function verifyEvidence(
    evidence: EnclaveEvidence,
    expected: Hex,
    saidAt: UnixSeconds,
  ): Promise<VerifiedEvidence> {
    const at = now()
    if (Math.abs(at - saidAt) > maxClockSkewSeconds) {
      throw new ServiceError('binding_mismatch', 'the enclave clock is far from ours', { saidAt, at })
    }
    const { collateral, cid, bytes } = await options.collateral.collateralFor(evidence.quote)
    const verdict = await verifyQuote(fromHex(evidence.quote), collateral, options.tdxRoot, at)
    const developmentRoot = !isVendorRoot('intel', verdict.rootFingerprint)
    if (developmentRoot && !options.allowDevelopmentRoot) {
      throw new ServiceError('development_root', 'the quote ends in a development root', { rootFingerprint: verdict.rootFingerprint }) // prettier-ignore
    }
    const build = checkEnclaveBuild(verdict, evidence.runtimeEvents, options.release)
    checkQuotePolicy(verdict, options.policy, at)
    // A valid quote of the right build may still be about another request.
    if (verdict.reportData !== expected) {
      throw new ServiceError('binding_mismatch', 'the quote is about another answer')
    }
    return { verdict, simulated: developmentRoot || build.simulated, collateralCid: cid, collateralBytes: bytes }
  }

  return {
    async verifySignEvidence(request, answer) {
      const { keyId, digest, nonce, coordinatorReportHash, transaction } = request
      const { publicKey, signature, policyHash, signedAt } = answer
      checkKeyName(keyId, publicKey, request.address)
      verifyDigest(transaction, digest)
      const entropyHash = entropyWitnessHash(request.entropy)
      const binding = { keyId, publicKey, digest, signature, nonce, coordinatorReportHash, entropyHash, policyHash, signedAt } // prettier-ignore
      const expected = reportData(encodeSignBinding({ chainId: transaction.chainId, ...binding }))
      // The quote's signatures are checked on other threads; the recovery of the signer fills the wait.
      const evidence = verifyEvidence(answer, expected, signedAt)
      evidence.catch(() => undefined) // awaited below, if the signer is right
      await verifySigner(transaction, signature, request.address, recoverAddress)
      return evidence
    },
    async verifyCreateKeyEvidence({ entropy, nonce, coordinatorReportHash }, answer) {
      const { keyId, publicKey, createdAt } = answer
      checkKeyName(keyId, publicKey, answer.address)
      const sealedKeyHash = toHex(sha256(fromHex(answer.sealedKey)))
      const entropyHash = entropyWitnessHash(entropy)
      const binding = { keyId, publicKey, sealedKeyHash, nonce, coordinatorReportHash, entropyHash, createdAt }
      return verifyEvidence(answer, reportData(encodeCreateKeyBinding(binding)), createdAt)
    },
  }
}

/** The quote binds the public key; key id and address must follow from it. */
function checkKeyName(keyId: string, publicKey: Hex, address: Hex): void {
  const derived = withCode('public_key_mismatch', 'not a compressed secp256k1 public key', () =>
    addressOfKey(publicKey),
  )
  if (keyIdOf(publicKey) !== keyId || derived.toLowerCase() !== address.toLowerCase()) {
    throw new ServiceError('binding_mismatch', 'key id or address is not that of the public key', { keyId, address })
  }
}
