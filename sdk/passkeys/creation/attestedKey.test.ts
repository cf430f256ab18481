import { p256 } from '@noble/curves/p256'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createRandom } from '../../../tests/createRandom.js'
import { attestedKey } from './attestedKey.js'
import { attestationObjects } from '../testing/attestationObjects.js'
import { attestationOf } from '../testing/createSoftAuthenticators.js'
import { startOwned } from '../testing/startOwned.js'

const denies = () => {
  throw new Error('Permission denied to access object') // 1Password's add-on in Firefox
}
const denied: [string, () => null][] = [
  ['throws', denies],
  ['is null', () => null],
]
const read = (attestationObject: Uint8Array) => attestedKey(Uint8Array.from(attestationObject).buffer)

describe.each(denied)('where getPublicKey %s', (_, getPublicKey) => {
  let page: Awaited<ReturnType<typeof startOwned>>
  beforeEach(async () => {
    page = await startOwned()
  })
  afterEach(() => page.close())

  test('a passkey is enrolled and signs', async () => {
    page.authenticators.answerWith((publicKey, id) => ({
      getPublicKey,
      getPublicKeyAlgorithm: getPublicKey === denies ? denies : () => -7,
      attestationObject: attestationOf(publicKey, id),
    }))
    const { client } = await page.enrolled()
    await client.signAndSend({ to: '0x00000000000000000000000000000000000000aa', value: 1n })
    expect(page.verified).toEqual(['/wallet/provision', '/sign/digest'])
  })

  test('without an attestation object either, the passkey is refused', async () => {
    page.authenticators.answerWith(() => ({ getPublicKey, attestationObject: undefined }))
    await expect(page.client().owners.enrol()).rejects.toMatchObject({ code: 'passkey_unsupported' })
  })
})

test.each(attestationObjects)('W3C: %s', (_title, bytes, privateKey) => {
  const key = privateKey && `0x${Buffer.from(p256.getPublicKey(privateKey, true)).toString('hex')}`
  expect(read(Buffer.from(bytes, 'hex'))).toBe(key)
})

test('bytes that are cut, longer or changed give the same key or none, and never an error', () => {
  const random = createRandom(712)
  const whole = Buffer.from(attestationObjects[0]?.[1] ?? '', 'hex')
  const key = read(whole)
  expect(key).toMatch(/^0x0[23][0-9a-f]{64}$/)
  for (let length = 0; length < whole.length; length++) {
    expect(read(whole.subarray(0, length)), `${length} bytes`).toBeNull()
  }
  expect(read(Buffer.concat([whole, Uint8Array.of(0)]))).toBeNull()
  const keyAt = whole.length - 77
  for (let made = 0; made < 1_000; made++) {
    const changed = Uint8Array.from(whole)
    const at = random.below(keyAt + 10) // up to the first byte of x
    changed[at] = random.below(256)
    expect([key, null]).toContain(read(changed))
  }
})
