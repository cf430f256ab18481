import { p256 } from '@noble/curves/p256'
import { verifyAuthenticationResponse } from '@simplewebauthn/server'
import { concatBytes, fromHex, type Hex } from '../../bytes/index.js'
import { base64url, type Assertion, type OwnerCredential } from '../index.js'

/** A P-256 key as COSE has it (RFC 9053, 7.1.1): kty 2, alg -7, crv 1, x, y. */
function coseKey(publicKey: Hex): Uint8Array<ArrayBuffer> {
  const point = p256.ProjectivePoint.fromHex(fromHex(publicKey)).toRawBytes(false)
  const head = [0xa5, 0x01, 0x02, 0x03, 0x26, 0x20, 0x01, 0x21, 0x58, 0x20]
  const key = concatBytes(Uint8Array.from(head), point.slice(1, 33), Uint8Array.of(0x22, 0x58, 0x20), point.slice(33))
  return Uint8Array.from(key)
}

/** A second opinion on an assertion: `@simplewebauthn/server`'s. */
export async function theyAccept(assertion: Assertion, credential: OwnerCredential, challenge: Hex): Promise<boolean> {
  const id = base64url(fromHex(credential.publicKey))
  const response = {
    authenticatorData: base64url(fromHex(assertion.authenticatorData)),
    clientDataJSON: base64url(new TextEncoder().encode(assertion.clientDataJSON)),
    signature: base64url(fromHex(assertion.signature)),
  }
  return verifyAuthenticationResponse({
    response: { id, rawId: id, type: 'public-key', clientExtensionResults: {}, response },
    expectedChallenge: base64url(fromHex(challenge)),
    expectedOrigin: credential.origins,
    expectedRPID: credential.rpId,
    requireUserVerification: true,
    credential: { id, publicKey: coseKey(credential.publicKey), counter: 0 },
  }).then(
    ({ verified }) => verified,
    () => false,
  )
}
