import { ed25519 } from '@noble/curves/ed25519'
import { p256 } from '@noble/curves/nist'
import { sha256 } from '@noble/hashes/sha2'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { fromHex, toHex, type Hex } from '../bytes/index.js'
import {
  entropyWitnessHash,
  meetsLevel,
  parseEntropySample,
  provenanceLevels,
  satelliteSignedBytes,
  spkiOf,
  verifyEntropySample,
  type EntropyKey,
  type EntropySample,
  type EntropyTrust,
} from './index.js'

const now = 1_800_000_000
const secret = new Uint8Array(32).fill(7)
const value = toHex(sha256(Uint8Array.of(1)))
const key: EntropyKey = {
  source: 'sat',
  algorithm: 'ed25519',
  publicKey: toHex(ed25519.getPublicKey(secret)),
  signedBytes: 'perigee-satellite/1',
  shows: 'satellite-signature-verified',
  validFrom: now - 1000,
  validTo: now + 1000,
}
const trust: EntropyTrust = { minimum: 'simulated', freshnessSeconds: 60, keys: { k1: key } }

function sign(fields: Partial<EntropySample> = {}, keyId = 'k1'): EntropySample {
  const sample: EntropySample = {
    version: 1,
    source: 'sat',
    provenance: 'satellite-signature-verified',
    value,
    producedAt: now - 5,
    receivedAt: now - 4,
    sequence: '42',
    signature: null,
    beacon: null,
    ...fields,
  }
  const bytes = satelliteSignedBytes(sample.value, sample.producedAt ?? 0, sample.sequence ?? '0')
  return { ...sample, signature: { algorithm: 'ed25519', keyId, value: toHex(ed25519.sign(bytes, secret)) } }
}

const rejects = (sample: EntropySample, code: string, by: EntropyTrust = trust, at = now) =>
  expect(verifyEntropySample(sample, by, at)).rejects.toMatchObject({ code })

test('accepts a sample signed by a pinned key, and says until when it is fresh', async () => {
  const sample = sign()
  await expect(verifyEntropySample(sample, trust, now)).resolves.toEqual({
    sample,
    provenance: 'satellite-signature-verified',
    freshUntil: now - 5 + 60,
  })
})

test('accepts the key as SPKI, and P-256 signatures, high s included', async () => {
  const spki = toHex(spkiOf('ed25519', ed25519.getPublicKey(secret)))
  await expect(
    verifyEntropySample(sign(), { ...trust, keys: { k1: { ...key, publicKey: spki } } }, now),
  ).resolves.toBeTruthy()
  const point = p256.getPublicKey(secret, false)
  const made = p256.sign(sha256(satelliteSignedBytes(value, now - 5, '42')), secret, { lowS: true, prehash: false })
  for (const publicKey of [toHex(point), toHex(p256.getPublicKey(secret)), toHex(spkiOf('ecdsa-p256-sha256', point))]) {
    for (const s of [made.s, p256.CURVE.n - made.s]) {
      const signature = toHex(new p256.Signature(made.r, s).toCompactRawBytes())
      const sample = {
        ...sign(),
        signature: { algorithm: 'ecdsa-p256-sha256' as const, keyId: 'k1', value: signature },
      }
      const by = { ...trust, keys: { k1: { ...key, algorithm: 'ecdsa-p256-sha256' as const, publicKey } } }
      await expect(verifyEntropySample(sample, by, now)).resolves.toBeTruthy()
      await rejects({ ...sample, sequence: '43' }, 'entropy_invalid', by)
    }
  }
})

test('refuses a sample whose value, time or sequence was changed after it was signed', async () => {
  const sample = sign()
  await rejects({ ...sample, value: toHex(sha256(Uint8Array.of(2))) }, 'entropy_invalid')
  await rejects({ ...sample, producedAt: now - 6 }, 'entropy_invalid')
  await rejects({ ...sample, sequence: '43' }, 'entropy_invalid')
  await rejects({ ...sample, sequence: null }, 'entropy_invalid')
  await rejects({ ...sample, signature: { ...sample.signature!, value: toHex(new Uint8Array(64)) } }, 'entropy_invalid')
})

test('refuses a claim above what the evidence shows', async () => {
  const development = { ...trust, keys: { k1: { ...key, shows: 'simulated' as const } } }
  await rejects(sign(), 'entropy_untrusted', development)
  await rejects({ ...sign(), signature: null }, 'entropy_untrusted', { ...trust, assertedSources: ['sat'] })
  await rejects(sign({}, 'unknown'), 'entropy_untrusted', { ...trust, assertedSources: ['sat'] })
  await expect(verifyEntropySample(sign({ provenance: 'simulated' }), development, now)).resolves.toMatchObject({
    provenance: 'simulated',
  })
})

test('accepts an unsigned sample as operator-asserted only when its source is listed', async () => {
  const sample = { ...sign({ provenance: 'operator-asserted', producedAt: null, sequence: null }), signature: null }
  await rejects(sample, 'entropy_untrusted')
  const listed = { ...trust, assertedSources: ['sat'] }
  await expect(verifyEntropySample(sample, listed, now)).resolves.toMatchObject({ provenance: 'operator-asserted' })
})

test.each(provenanceLevels)('with the minimum %s refuses every weaker level', async (minimum) => {
  for (const provenance of provenanceLevels) {
    const verified = verifyEntropySample(sign({ provenance }), { ...trust, minimum }, now)
    if (meetsLevel(provenance, minimum)) await expect(verified).resolves.toMatchObject({ provenance })
    else await expect(verified).rejects.toMatchObject({ code: 'entropy_untrusted' })
  }
})

test('refuses a key that speaks for another source, has another algorithm, or is outside its validity', async () => {
  await rejects(sign(), 'entropy_untrusted', { ...trust, keys: { k1: { ...key, source: 'other' } } })
  await rejects(sign(), 'entropy_untrusted', { ...trust, keys: { k1: { ...key, algorithm: 'ecdsa-p256-sha256' } } })
  await rejects(sign(), 'entropy_untrusted', { ...trust, keys: { k1: { ...key, validFrom: now } } })
  await rejects(sign(), 'entropy_untrusted', { ...trust, keys: { k1: { ...key, validTo: now - 10 } } })
  for (const keyId of ['__proto__', 'constructor']) await rejects(sign({}, keyId), 'entropy_untrusted')
})

test('refuses stale samples and samples from the future', async () => {
  await expect(verifyEntropySample(sign(), trust, now + 55)).resolves.toBeTruthy()
  await rejects(sign(), 'entropy_stale', trust, now + 56)
  await rejects(sign({ producedAt: now + 31, receivedAt: now + 31 }), 'entropy_invalid')
  await rejects(sign({ receivedAt: now + 31 }), 'entropy_invalid')
  await rejects(sign({ producedAt: now, receivedAt: now - 31 }), 'entropy_invalid')
})

test('a signature over the value alone vouches for no time and no sequence', async () => {
  const by: EntropyTrust = { ...trust, keys: { k1: { ...key, signedBytes: 'value' } } }
  const signature = { algorithm: 'ed25519' as const, keyId: 'k1', value: toHex(ed25519.sign(fromHex(value), secret)) }
  const sample = { ...sign(), signature, producedAt: null, sequence: null }
  await expect(verifyEntropySample(sample, by, now)).resolves.toBeTruthy()
  await rejects({ ...sample, producedAt: now }, 'entropy_invalid', by)
  await rejects({ ...sample, sequence: '1' }, 'entropy_invalid', by)
})

test('refuses a value that is one byte repeated', async () => {
  await rejects(sign({ value: `0x${'00'.repeat(32)}` }), 'entropy_invalid')
})

test('beacon evidence counts only under a pinned name, with a verifier, and must say the same', async () => {
  const beacon = { name: 'k51', record: 'AA==', cid: 'bafk', block: 'AA==', index: 0 }
  const sample: EntropySample = { ...sign({ provenance: 'beacon-verified', beacon }), signature: null }
  await rejects(sample, 'entropy_untrusted', { ...trust, assertedSources: ['sat'] })
  const finding = { value, producedAt: now - 5, sequence: '42' }
  const pinned = (names: Record<string, string>, found = finding): EntropyTrust => ({
    ...trust,
    beacons: { names, verify: async () => found },
  })
  await expect(verifyEntropySample(sample, pinned({ k51: 'sat' }), now)).resolves.toMatchObject({
    provenance: 'beacon-verified',
  })
  await rejects(sample, 'entropy_untrusted', pinned({ k52: 'sat' }))
  await rejects(sample, 'entropy_untrusted', pinned({ k51: 'other' }))
  await rejects(sample, 'entropy_invalid', pinned({ k51: 'sat' }, { ...finding, sequence: '41' }))
  await rejects({ ...sample, provenance: 'satellite-signature-verified' }, 'entropy_untrusted', pinned({ k51: 'sat' }))
})

test('parsing keeps a good sample exactly, and refuses every other spelling of it', () => {
  const sample = sign()
  expect(parseEntropySample(JSON.parse(JSON.stringify(sample)))).toEqual(sample)
  const upper = sample.value.toUpperCase().replace('0X', '0x') as Hex
  for (const change of [
    { value: upper },
    { sequence: '042' },
    { sequence: '18446744073709551616' },
    { producedAt: 1.5 },
    { receivedAt: null },
    { provenance: 'certain' },
    { version: 2 },
    { source: 'a b' },
    { extra: 1 },
    { signature: { ...sample.signature, value: '0x' } },
    { signature: { ...sample.signature, keyId: '' } },
    { signature: { ...sample.signature, algorithm: 'none' } },
    { beacon: { name: 'n', record: '!', cid: 'c', block: '', index: 0 } },
    { beacon: { name: 'n', record: '', cid: 'c', block: '', index: -1 } },
  ]) {
    expect(() => parseEntropySample({ ...sample, ...change })).toThrow(
      expect.objectContaining({ code: 'entropy_invalid' }),
    )
  }
})

test('parsing answers any JSON with a sample or with entropy_invalid', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (input) => {
      expect(() => parseEntropySample(input)).toThrow(expect.objectContaining({ code: 'entropy_invalid' }))
    }),
  )
})

test('any single changed field of a signed sample is refused or changes the witness hash', async () => {
  const hash = entropyWitnessHash(sign())
  expect(entropyWitnessHash({ ...sign(), receivedAt: now })).not.toBe(hash)
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 0, max: 63 }), fc.integer({ min: 1, max: 255 }), async (at, flip) => {
      const bytes = fromHex(sign().signature!.value)
      bytes[at] = bytes[at]! ^ flip
      await rejects({ ...sign(), signature: { ...sign().signature!, value: toHex(bytes) } }, 'entropy_invalid')
    }),
    { numRuns: 25 },
  )
})
