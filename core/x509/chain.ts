import { equalBytes, type UnixSeconds } from '../bytes/index.js'
import { ServiceError, type ErrorCode } from '../errors/index.js'
import { parseCertificate, type Certificate } from './certificate.js'
import { decodeCertificateFile } from './pem.js'
import { isSameKey } from './signature.js'
import { isIssuedBy } from './signed.js'

/**
 * The trust anchor the caller chose: a self-signed CA that may sign certificates. DER or PEM.
 * Throws `root_invalid`. It proves nothing about who made the root; choosing it is up to the caller.
 */
export async function verifyRoot(bytes: unknown): Promise<Certificate> {
  let root: Certificate
  try {
    root = parseCertificate(Uint8Array.from(decodeCertificateFile(bytes))) // a copy, since it is cached
  } catch (cause) {
    throw new ServiceError('root_invalid', 'the trusted root is not a certificate', {}, cause)
  }
  if (!equalBytes(root.subject, root.issuer) || !isAuthority(root) || !(await isIssuedBy(root, root))) {
    throw new ServiceError('root_invalid', 'the trusted root is not a self-signed CA', { subject: root.commonName })
  }
  return root
}

/**
 * Verifies that each certificate is signed by the next, the last one by `root`, and that all but the first are CAs.
 * The caller checks what the first one may do.
 * A copy of the root at the end is allowed and dropped: it adds nothing. Returns the chain without it, leaf first.
 */
export async function verifyChain(
  chain: readonly Certificate[],
  root: Certificate,
  code: ErrorCode,
): Promise<Certificate[]> {
  const last = chain[chain.length - 1]
  const links = last && chain.length > 1 && (await isCopyOf(last, root)) ? chain.slice(0, -1) : [...chain]
  if (links.length === 0) throw new ServiceError(code, 'the certificate chain is empty')
  // Signature checks run on other threads, so all of them start now; faults are reported in order.
  const signed = links.map((certificate, index) => isIssuedBy(certificate, links[index + 1] ?? root))
  for (const [index, certificate] of links.entries()) {
    const issuer = links[index + 1] ?? root
    if (!isAuthority(issuer)) {
      throw new ServiceError(code, 'a certificate was issued by one that is not a CA', { issuer: issuer.commonName })
    }
    // Path length counts the CAs below a CA (RFC 5280 4.2.1.9).
    const below = (links[0] as Certificate).isCa ? index + 1 : index
    if (issuer.pathLength !== undefined && below > issuer.pathLength) {
      throw new ServiceError(code, 'the chain is longer than its CA allows', { issuer: issuer.commonName })
    }
    if (!(await signed[index])) {
      throw new ServiceError(code, 'a certificate is not signed by its issuer', { subject: certificate.commonName })
    }
  }
  return links
}

function isAuthority(certificate: Certificate): boolean {
  return certificate.isCa && certificate.keyUsage?.certSign === true
}

/** The root itself, or a new certificate of the root's key by itself: Intel reissued its root with another validity. */
async function isCopyOf(certificate: Certificate, root: Certificate): Promise<boolean> {
  if (equalBytes(certificate.der, root.der)) return true
  const isSame = equalBytes(certificate.subject, root.subject) && isSameKey(certificate.publicKey, root.publicKey)
  return isSame && isIssuedBy(certificate, root)
}

/** Throws unless `now` is within the certificate's validity. */
export function checkValidity(
  certificate: Certificate,
  now: UnixSeconds,
  codes: { early: ErrorCode; late: ErrorCode } = { early: 'cert_not_yet_valid', late: 'cert_expired' },
): void {
  const { commonName: subject, notBefore, notAfter } = certificate
  const facts = { subject, now, notBefore, notAfter }
  if (now < notBefore) throw new ServiceError(codes.early, 'a certificate is not valid yet', facts)
  if (now > notAfter) throw new ServiceError(codes.late, 'a certificate has expired', facts)
}
