import type { OwnerCredential, SessionUser } from '../../types.js'
import { compressSpki, fromBase64url } from '../encode.js'
import { PasskeyError, toPasskeyError } from '../PasskeyError.js'
import type { Site } from '../open.js'

/** A passkey just made: what the public record names, and its id, which only the service keeps. */
export interface NewPasskey {
  credential: OwnerCredential
  id: string
}

const es256 = -7
const timeout = 120_000
const notEs256 = 'The new passkey is of a kind that this wallet cannot use (not ES256).'

/** Makes a passkey. The browser's answer proves nothing about it; the assertion that follows does. */
export async function createPasskey(
  site: Site,
  user: SessionUser,
  existing: readonly string[],
  signal?: AbortSignal,
): Promise<NewPasskey> {
  const random = (length: number) => crypto.getRandomValues(new Uint8Array(length))
  const name = user.email
  try {
    const made = (await navigator.credentials.create({
      publicKey: {
        challenge: random(32), // unused: attestation is none
        rp: { id: site.rpId, name: site.rpId },
        // A new handle every time: with an old one, an authenticator would overwrite the passkey it belongs to.
        user: { id: random(16), name, displayName: user.name ?? name },
        pubKeyCredParams: [{ type: 'public-key', alg: es256 }],
        authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
        attestation: 'none',
        excludeCredentials: existing.map((id) => ({ type: 'public-key', id: fromBase64url(id) as BufferSource })),
        timeout,
      },
      ...(signal && { signal }),
    })) as PublicKeyCredential
    const response = made.response as AuthenticatorAttestationResponse
    const spki = givenKey(response)
    const publicKey = spki
      ? compressSpki(spki)
      : (await import('./attestedKey.js')).attestedKey(response.attestationObject)
    if (!publicKey) throw new PasskeyError('passkey_unsupported', notEs256)
    return { id: made.id, credential: { algorithm: 'ES256', publicKey, rpId: site.rpId, origins: [site.origin] } }
  } catch (error) {
    throw toPasskeyError(error, 'No passkey was made: the prompt was declined or timed out.', 'Try again.')
  }
}

/** What the browser says. Some password managers and add-ons answer null, or throw. */
function givenKey(response: AuthenticatorAttestationResponse): ArrayBuffer | null {
  try {
    return response.getPublicKeyAlgorithm() === es256 ? response.getPublicKey() : null
  } catch {
    return null
  }
}
