import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { createRandom } from '../../tests/createRandom.js'
import { fromHex, toHex } from '../bytes/index.js'
import { verifyAssertion, type Assertion } from './index.js'
import { createSoftPasskey } from './testing/createSoftPasskey.js'
import { theyAccept } from './testing/theyAccept.js'

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
})

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
})
