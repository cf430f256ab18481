import type { UnixSeconds } from '../bytes/index.js'
import { ServiceError } from '../errors/index.js'
import { checkNotRevoked, verifySnpCrl, type AuthenticVek } from './authenticateVek.js'

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
