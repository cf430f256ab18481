import type { UnixSeconds } from '../../bytes/index.js'
import { ServiceError } from '../../errors/index.js'
import { checkCrlTime, checkValidity, type Certificate, type Crl } from '../../x509/index.js'
import type { AuthenticCollateral } from './authenticateCollateral.js'

/** Windows first, then certificates, then CRLs: an old set is reported as expired before its parts are. */
export function checkCollateralTime(collateral: AuthenticCollateral, now: UnixSeconds): void {
  for (const part of [collateral.tcbInfo, collateral.qeIdentity]) {
    const facts = { now, issueDate: part.issueDate, nextUpdate: part.nextUpdate }
    if (now < part.issueDate) throw new ServiceError('collateral_not_yet_valid', 'collateral is from the future', facts)
    if (now > part.nextUpdate)
      throw new ServiceError('collateral_expired', 'collateral is stale; fetch it again', facts)
  }
  const { root, tcbSigner, qeSigner, pckCrlIssuer, rootCrl, pckCrl } = collateral
  for (const certificate of [root, tcbSigner, qeSigner, pckCrlIssuer]) checkValidity(certificate, now)
  checkCrlTime(rootCrl, now)
  checkCrlTime(pckCrl, now)
  for (const certificate of [root, tcbSigner, qeSigner, pckCrlIssuer]) checkNotRevoked(certificate, rootCrl)
}

export function checkNotRevoked(certificate: Certificate, crl: Crl): void {
  if (!crl.revoked.has(certificate.serial)) return
  const { commonName: subject, serial } = certificate
  throw new ServiceError('cert_revoked', 'a certificate was revoked by its issuer', { subject, serial })
}

/** The last second at which every part of this collateral is still valid. */
export function collateralEnd(collateral: AuthenticCollateral): UnixSeconds {
  const { tcbInfo, qeIdentity, rootCrl, pckCrl, root, tcbSigner, qeSigner, pckCrlIssuer } = collateral
  const updates = [tcbInfo, qeIdentity, rootCrl, pckCrl].map((part) => part.nextUpdate)
  return Math.min(...updates, ...[root, tcbSigner, qeSigner, pckCrlIssuer].map((certificate) => certificate.notAfter))
}
