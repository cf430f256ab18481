import type { Intent, KnownCredential, OwnerCredential, PasskeyApproval } from '../types.js'
import type { Site } from './open.js'
import { fromBase64url, hexOf, intentChallenge } from './encode.js'
import { PasskeyError, toPasskeyError } from './PasskeyError.js'

/** What is to be agreed to; time and salt are added here. */
export type Matter = Omit<Intent, 'validUntil' | 'salt'>

/** A passkey that may answer. */
export type Candidate = Pick<KnownCredential, 'publicKey' | 'id'>

const promptMs = 120_000
/** The enclave takes ten minutes at most; five leave room for clocks that differ. */
const validSeconds = 300

/** Those of the owners whose passkeys work on this page; throws `passkey_unknown` when there are none. */
export function usableHere(
  credentials: readonly OwnerCredential[],
  known: readonly Candidate[],
  { rpId, origin }: Site,
): Candidate[] {
  const here = credentials.filter((one) => one.rpId === rpId && one.origins.includes(origin))
  const candidates = known.filter(({ publicKey }) => here.some((one) => one.publicKey === publicKey))
  if (candidates.length > 0) return candidates
  throw new PasskeyError('passkey_unknown', `None of this wallet’s passkeys belongs to ${origin}.`)
}

/** Prompts for one of these passkeys, which then agrees to exactly this. */
export async function askPasskey(
  { rpId }: Site,
  matter: Matter,
  candidates: readonly Candidate[],
  signal?: AbortSignal,
): Promise<PasskeyApproval> {
  const terms = freshTerms()
  const challenge = intentChallenge({ ...matter, ...terms })
  try {
    const answer = (await navigator.credentials.get({
      publicKey: {
        challenge: challenge as BufferSource,
        rpId,
        allowCredentials: candidates.map(({ id }) => ({ type: 'public-key', id: fromBase64url(id) as BufferSource })),
        userVerification: 'required',
        timeout: promptMs,
      },
      ...(signal && { signal }),
    })) as PublicKeyCredential
    const used = candidates.find(({ id }) => id === answer.id)
    if (!used) throw new PasskeyError('passkey_unknown', 'The passkey that answered is not one of this wallet’s.')
    if (terms.validUntil < nowSeconds()) {
      throw new PasskeyError('authorisation_expired', 'The prompt was open for too long.')
    }
    const { authenticatorData, clientDataJSON, signature } = answer.response as AuthenticatorAssertionResponse
    return {
      credential: used.publicKey,
      authenticatorData: hexOf(authenticatorData),
      clientDataJSON: new TextDecoder().decode(clientDataJSON),
      signature: hexOf(signature),
      ...terms,
    }
  } catch (error) {
    throw toPasskeyError(error, 'The prompt was declined, timed out, or found no passkey of this wallet.')
  }
}

/** Until when an approval holds, and 16 random bytes. */
export function freshTerms(): Pick<PasskeyApproval, 'validUntil' | 'salt'> {
  return { validUntil: nowSeconds() + validSeconds, salt: hexOf(crypto.getRandomValues(new Uint8Array(16))) }
}

const nowSeconds = () => Math.floor(Date.now() / 1000)
