import { randomBytes } from 'node:crypto'
import { p256 } from '@noble/curves/p256'
import { verifyAuthenticationResponse } from '@simplewebauthn/server'
import { expect, test } from 'vitest'
import { createRandom } from '../../tests/createRandom.js'
import { concatBytes, fromHex, toHex, type Hex } from '../bytes/index.js'
import { base64url, verifyAssertion, type Assertion, type OwnerCredential } from './index.js'
import { createSoftPasskey } from './testing/createSoftPasskey.js'

/** A P-256 key as COSE has it (RFC 9053, 7.1.1): kty 2, alg -7, crv 1, x, y. */
function coseKey(publicKey: Hex): Uint8Array<ArrayBuffer> {
  const point = p256.ProjectivePoint.fromHex(fromHex(publicKey)).toRawBytes(false)
  const head = [0xa5, 0x01, 0x02, 0x03, 0x26, 0x20, 0x01, 0x21, 0x58, 0x20]
  const key = concatBytes(Uint8Array.from(head), point.slice(1, 33), Uint8Array.of(0x22, 0x58, 0x20), point.slice(33))
  return Uint8Array.from(key)
}

async function theyAccept(assertion: Assertion, credential: OwnerCredential, challenge: Hex): Promise<boolean> {
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

const weAccept = (...args: Parameters<typeof verifyAssertion>) =>
  verifyAssertion(...args).then(
    () => true,
    () => false,
  )

test('@simplewebauthn/server accepts what we accept: 300 assertions', async () => {
  const passkey = createSoftPasskey({ rpId: 'app.example', origin: 'https://app.example' })
  for (let count = 0; count < 300; count++) {
    const challenge = toHex(randomBytes(32))
    const assertion = passkey.get(challenge)
    expect(await weAccept(assertion, passkey.credential, challenge)).toBe(true)
    expect(await theyAccept(assertion, passkey.credential, challenge)).toBe(true)
  }
}, 120_000)

test('no assertion with one bit changed is accepted by us: 2,000 of them', async () => {
  const passkey = createSoftPasskey({ rpId: 'app.example', origin: 'https://app.example' })
  const random = createRandom(20261116)
  const flip = (bytes: Uint8Array) => {
    const bit = random.below(bytes.length * 8)
    const changed = bytes.slice()
    changed[bit >> 3] = (changed[bit >> 3] as number) ^ (1 << (bit & 7))
    return changed
  }
  const accepted: string[] = []
  for (let count = 0; count < 2000; count++) {
    const challenge = toHex(randomBytes(32))
    const assertion = passkey.get(challenge)
    const name = (['authenticatorData', 'clientDataJSON', 'signature'] as const)[count % 3] as keyof Assertion
    const bytes = name === 'clientDataJSON' ? new TextEncoder().encode(assertion[name]) : fromHex(assertion[name])
    const changed = flip(bytes)
    const value = name === 'clientDataJSON' ? new TextDecoder().decode(changed) : toHex(changed)
    if (await weAccept({ ...assertion, [name]: value }, passkey.credential, challenge))
      accepted.push(`${count} ${name}`)
  }
  expect(accepted).toEqual([])
}, 120_000)
