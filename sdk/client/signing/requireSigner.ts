import { recoverAddress } from 'viem'
import { ServiceError, toServiceError } from '../../errors/ServiceError.js'
import type { Hex, SignDigestResult } from '../../types.js'
import { warnSignedByOther } from './warnSigned.js'

/** Throws unless this wallet signed. Another person may have signed in since the wallet was looked up. */
export async function requireSigner(
  wallet: Hex,
  hash: Hex,
  nonce: number,
  { signature, slug: attestationSlug }: SignDigestResult,
): Promise<void> {
  const signer = await recoverAddress({ hash, signature }).catch((error: unknown) => {
    throw toServiceError(error, 'bad_response')
  })
  if (signer.toLowerCase() === wallet.toLowerCase()) return
  throw new ServiceError(
    'account_changed',
    `Not sent: the signature is not one of ${wallet}. ${warnSignedByOther(nonce, signer)}`,
    { facts: { attestationSlug, nonce, signer } },
  )
}
