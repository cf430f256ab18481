import type { UnixSeconds } from '../bytes/index.js'
import { ServiceError } from '../errors/index.js'
import { checkCrlTime, parseCrl, verifyCrl, type Certificate, type Crl } from '../x509/index.js'
import type { AuthenticVek } from './authenticateVek.js'

/** A list of AMD's whose signature was verified. */
export type SnpCrl = Pick<Crl, 'thisUpdate' | 'nextUpdate' | 'revoked'>

/** Verifies a CRL of the root. `now` is null for a list that is stored and not used. Throws `crl_invalid` or `crl_expired`. */
export async function verifySnpCrl(der: Uint8Array, root: Certificate, now: UnixSeconds | null): Promise<SnpCrl> {
  const crl = parseCrl(der)
  await verifyCrl(crl, root)
  if (now !== null) checkCrlTime(crl, now)
  return crl
}

/** AMD's CRL, signed by the ARK, lists intermediates. AMD supersedes chip keys by TCB instead of revoking them. */
export function checkNotRevoked(authentic: Pick<AuthenticVek, 'intermediate' | 'root'>, crl: SnpCrl): void {
  for (const certificate of [authentic.intermediate, authentic.root]) {
    if (!crl.revoked.has(certificate.serial)) continue
    throw new ServiceError('vek_revoked', 'AMD revoked a certificate of the chain', { subject: certificate.commonName })
  }
}

/**
 * Throws `vek_revoked` if one of the lists revokes the chain. Each AMD root signs its own list, so those that do not verify under
 * this root are passed over; when none does, nothing was checked, and the last refusal is thrown.
 */
export async function checkAgainstCrls(
  chain: Pick<AuthenticVek, 'intermediate' | 'root'>,
  lists: readonly Uint8Array[],
  now: UnixSeconds,
): Promise<void> {
  let refusal: unknown = new ServiceError('crl_invalid', 'no list of revoked certificates was given')
  let checked = 0
  for (const der of lists) {
    try {
      const list = await verifySnpCrl(der, chain.root, now)
      checkNotRevoked(chain, list)
      checked++
    } catch (error) {
      if (error instanceof ServiceError && error.code === 'vek_revoked') throw error
      refusal = error
    }
  }
  if (checked === 0) throw refusal
}
