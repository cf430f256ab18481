import { sha256 } from '@noble/hashes/sha2'
import { concatBytes, equalBytes, toHex, type UnixSeconds } from '../../bytes/index.js'
import { ServiceError, withCodeAsync } from '../../errors/index.js'
import {
  checkValidity,
  createVerifiedCache,
  importKey,
  isEcdsaSigned,
  isSameKey,
  parseCertificate,
  parsePem,
  verifyChain,
  type Certificate,
} from '../../x509/index.js'
import { isPckAuthority, type AuthenticCollateral, type TrustedRoot } from '../collateral/authenticateCollateral.js'
import { checkNotRevoked } from '../collateral/checkCollateralTime.js'
import { readPckExtension, type PckExtension } from './readPckExtension.js'
import type { QuoteParts } from './parseQuoteParts.js'

/** A platform's certificate whose chain leads to the root. */
export interface AuthenticPck {
  leaf: Certificate
  authority: Certificate
  extension: PckExtension
  key: CryptoKey
}

const chains = createVerifiedCache<AuthenticPck>(128)

/** Verifies the PCK chain as far as it does not depend on the time. Successes are cached. */
export async function authenticatePck(pem: string, { root, fingerprint }: TrustedRoot): Promise<AuthenticPck> {
  const key = `${fingerprint}:${pem}`
  const known = chains.get(key)
  if (known) return known
  const links = await verifyChain(parsePem(pem).map(parseCertificate), root, 'cert_chain')
  const [leaf, authority] = links
  if (!leaf || !authority || links.length !== 2) {
    throw new ServiceError('cert_chain', 'a PCK chain is a PCK certificate, a PCK CA and the root')
  }
  if (leaf.isCa) throw new ServiceError('cert_chain', 'the PCK certificate is a CA')
  const maySign = leaf.keyUsage === undefined || leaf.keyUsage.digitalSignature
  if (!isPckAuthority(authority) || !leaf.commonName.includes('SGX PCK Certificate') || !maySign) {
    throw new ServiceError('signer_role', 'the quote is signed by a certificate that has another role', {
      subject: leaf.commonName,
      issuer: authority.commonName,
    })
  }
  if (leaf.publicKey.kind !== 'P-256') throw new ServiceError('cert_chain', 'a PCK key is on P-256')
  const imported = await withCodeAsync('cert_chain', 'the PCK key is not a point on P-256', () =>
    importKey(leaf.publicKey),
  )
  const result = { leaf, authority, extension: readPckExtension(leaf), key: imported }
  chains.set(key, result)
  return result
}

/** Validity and revocation of the PCK chain at `now`. The CRL must be the list of this very PCK CA. */
export function checkPckTime(pck: AuthenticPck, collateral: AuthenticCollateral, now: UnixSeconds): void {
  checkValidity(pck.leaf, now)
  checkValidity(pck.authority, now)
  const { pckCrlIssuer, pckCrl, rootCrl } = collateral
  const sameIssuer = equalBytes(pckCrlIssuer.subject, pck.authority.subject)
  if (!sameIssuer || !isSameKey(pckCrlIssuer.publicKey, pck.authority.publicKey)) {
    throw new ServiceError('crl_invalid', 'the PCK CRL and the PCK certificate have different issuers', {
      crlIssuer: pckCrlIssuer.commonName,
      pckIssuer: pck.authority.commonName,
    })
  }
  checkNotRevoked(pck.authority, rootCrl)
  checkNotRevoked(pck.leaf, pckCrl)
}

const attestationKeys = createVerifiedCache<CryptoKey>(256)

/**
 * The attestation key that the quoting enclave vouches for: the PCK signed the enclave's report, and the report's data
 * is the hash of the key. One key serves many quotes, so the result is cached by hash.
 */
export async function verifyAttestationKey(parts: QuoteParts, pck: AuthenticPck): Promise<CryptoKey> {
  const { qeReport, qeReportSignature, attestationKey, qeAuthData } = parts
  const material = concatBytes(sha256(pck.leaf.der), qeReport.bytes, qeReportSignature, attestationKey, qeAuthData)
  const id = toHex(sha256(material))
  const known = attestationKeys.get(id)
  if (known) return known
  if (!(await isEcdsaSigned(pck.key, 'SHA-256', qeReport.bytes, qeReportSignature))) {
    throw new ServiceError('qe_report_signature', 'the PCK did not sign the quoting enclave’s report')
  }
  const expected = new Uint8Array(64) // the hash, then 32 zeros
  expected.set(sha256(concatBytes(attestationKey, qeAuthData)))
  if (!equalBytes(expected, qeReport.reportData)) {
    throw new ServiceError('qe_report_data', 'the quoting enclave does not vouch for this attestation key')
  }
  const point = concatBytes(Uint8Array.of(4), attestationKey) as BufferSource
  const algorithm = { name: 'ECDSA', namedCurve: 'P-256' }
  const key = await withCodeAsync('quote_signature', 'the attestation key is not a point on P-256', () =>
    crypto.subtle.importKey('raw', point, algorithm, false, ['verify']),
  )
  attestationKeys.set(id, key)
  return key
}
