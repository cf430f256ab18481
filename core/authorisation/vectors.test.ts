import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { p256 } from '@noble/curves/p256'
import { describe, expect, test } from 'vitest'
import { toHex, type Hex } from '../bytes/index.js'
import { fixturesDir } from '../tdx/testing/fixtures.js'
import { encodeIntent, intentChallenge, verifyAssertion, type OwnerCredential } from './index.js'
import { isP256SignedDer } from './p256.js'

const hex = (text: string) => `0x${text}` as Hex
const compressed = (point: string) => toHex(p256.ProjectivePoint.fromHex(point).toRawBytes(true))

test('an intent has the bytes and the challenge of the worked example', () => {
  const intent = {
    kind: 'transaction',
    address: hex('aa'.repeat(20)),
    ownersHash: '0x5550636e00bf5326c6e2657d1023005f41d2770d3654ccbccc24eccc9d4f0ac1',
    chainId: 11155111,
    digest: hex('bb'.repeat(32)),
    validUntil: 1800000000,
    salt: hex('cc'.repeat(16)),
  } as const
  expect(encodeIntent(intent)).toHaveLength(173)
  expect(intentChallenge(intent)).toBe('0x9a0d8d12896aeb1cccdf9acf566787faa5418fe2440dfb27450a7893c31917fc')
})

if (!fixturesDir) test.skip('the shared fixtures are not here: put them at ../shared/fixtures or set FIXTURES_DIR')

describe.skipIf(!fixturesDir)('vectors of others', () => {
  const file = (name: string) => readFileSync(join(fixturesDir as string, 'vectors', name))

  test('Wycheproof: every P-256 signature gets its verdict, odd DER included', async () => {
    const { testGroups } = JSON.parse(gunzipSync(file('wycheproof-p256-sha256.json.gz')).toString()) as {
      testGroups: {
        publicKey: { uncompressed: string }
        tests: { tcId: number; msg: string; sig: string; result: string }[]
      }[]
    }
    const wrong: number[] = []
    let seen = 0
    for (const { publicKey, tests } of testGroups) {
      const key = compressed(publicKey.uncompressed)
      for (const { tcId, msg, sig, result } of tests) {
        const good = await isP256SignedDer(key, Buffer.from(msg, 'hex'), Buffer.from(sig, 'hex'))
        if (good !== (result === 'valid')) wrong.push(tcId)
        seen++
      }
    }
    expect(wrong).toEqual([])
    expect(seen).toBe(484)
  })

  interface W3cVector {
    title: string
    challenge: string
    publicKey: string
    authenticatorData: string
    clientDataJSON: string
    signature: string
  }
  const vectors = fixturesDir ? (JSON.parse(file('w3c-webauthn-es256.json').toString()) as W3cVector[]) : []

  /** Vectors without user verification, or from inside another page, are refused for exactly that reason. */
  const refusal = ({ authenticatorData, clientDataJSON }: W3cVector): string | null => {
    if (/"crossOrigin":true/.test(Buffer.from(clientDataJSON, 'hex').toString())) return 'inside another page'
    return Number.parseInt(authenticatorData.slice(64, 66), 16) & 4 ? null : 'not verified'
  }

  test.each(vectors)('W3C: $title', async (vector) => {
    const credential: OwnerCredential = {
      algorithm: 'ES256',
      publicKey: compressed(vector.publicKey),
      rpId: 'example.org',
      origins: ['https://example.org'],
    }
    const assertion = {
      authenticatorData: hex(vector.authenticatorData),
      clientDataJSON: Buffer.from(vector.clientDataJSON, 'hex').toString(),
      signature: hex(vector.signature),
    }
    const verifying = verifyAssertion(assertion, credential, hex(vector.challenge))
    const expected = refusal(vector)
    if (expected === null) await expect(verifying).resolves.toBeUndefined()
    else {
      await expect(verifying).rejects.toMatchObject({
        code: 'authorisation_invalid',
        message: expect.stringContaining(expected) as string,
      })
    }
  })

  test('W3C: at least one vector of each kind was there', () => {
    expect(new Set(vectors.map(refusal))).toEqual(new Set([null, 'not verified', 'inside another page']))
  })
})
