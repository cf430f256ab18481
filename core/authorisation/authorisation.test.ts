import { p256 } from '@noble/curves/p256'
import { sha256 } from '@noble/hashes/sha2'
import { describe, expect, test } from 'vitest'
import { fromHex, toHex, type Hex } from '../bytes/index.js'
import { createSampleOwner, requestKey, signStatement } from '../receipt/testing/sampleOwner.js'
import {
  intentChallenge,
  ownersHash,
  parseOwners,
  subjectCommitment,
  verifyOwnersApproval,
  verifyStatement,
  zero32,
  zeroAddress,
  type OwnersRecord,
  type PasskeyApproval,
  type Statement,
} from './index.js'

const now = 1_800_000_000
const address: Hex = `0x${'ab'.repeat(20)}`
const digest: Hex = `0x${'cd'.repeat(32)}`
const refused = (code: string) => expect.objectContaining({ code }) as unknown

describe('subjects', () => {
  const pepper: Hex = `0x${'01'.repeat(32)}`
  test('name a person by issuer, subject and pepper, and nothing can slip from one to the other', () => {
    const name = subjectCommitment('https://issuer', 'person', pepper)
    expect(name).toMatch(/^0x[0-9a-f]{64}$/)
    expect(subjectCommitment('https://issuer', 'person', pepper)).toBe(name)
    expect(subjectCommitment('https://issuerp', 'erson', pepper)).not.toBe(name)
    expect(subjectCommitment('https://issuer', 'person', `0x${'02'.repeat(32)}`)).not.toBe(name)
  })
})

describe('statements', () => {
  const statement: Statement = {
    kind: 'sign-transaction',
    subject: `0x${'5b'.repeat(32)}`,
    address,
    digest,
    chainId: 1,
    issuedAt: now,
    expiresAt: now + 15,
    authorisationHash: zero32,
  }
  const { subject: _s, issuedAt: _i, expiresAt: _e, ...about } = statement
  const verify = (changes: Partial<Statement>, at = now) =>
    verifyStatement(signStatement({ ...statement, ...changes }), about, requestKey.publicKey, at)

  test('are believed from a minute before they were issued until they expire', async () => {
    await verify({})
    await verify({}, now - 60)
    await verify({}, now + 15)
    await expect(verify({}, now + 16)).rejects.toEqual(refused('statement_expired'))
    await expect(verify({}, now - 61)).rejects.toEqual(refused('statement_invalid'))
  })

  test.each<[string, Partial<Statement>]>([
    ['kind', { kind: 'create-key' }],
    ['address', { address: zeroAddress }],
    ['digest', { digest: zero32 }],
    ['chainId', { chainId: 2 }],
    ['authorisationHash', { authorisationHash: digest }],
    ['a life of more than ten minutes', { expiresAt: now + 601 }],
    ['no life at all', { expiresAt: now }],
  ])('about another %s are refused, although truly signed', async (_, changes) => {
    await expect(verify(changes)).rejects.toEqual(refused('statement_invalid'))
  })

  test('with any field changed after signing, or by another key, are refused', async () => {
    const signed = signStatement(statement)
    const changed = {
      subject: zero32,
      issuedAt: now - 1,
      expiresAt: now + 14,
      signature: `0x${'01'.repeat(64)}`,
    } as const
    for (const [name, value] of Object.entries(changed)) {
      const verifying = verifyStatement({ ...signed, [name]: value }, about, requestKey.publicKey, now)
      await expect(verifying, name).rejects.toEqual(refused('statement_invalid'))
    }
    const other = toHex(p256.getPublicKey(fromHex(`0x${'09'.repeat(32)}`), true))
    await expect(verifyStatement(signed, about, other, now)).rejects.toEqual(refused('statement_invalid'))
    await expect(verifyStatement(signed, about, `0x05${'00'.repeat(32)}`, now)).rejects.toEqual(
      refused('statement_invalid'),
    )
  })
})

describe('owners', () => {
  const { owners } = createSampleOwner()
  const [credential] = owners.credentials as [OwnersRecord['credentials'][0]]
  const withCredential = (changes: object) => ({ ...owners, credentials: [{ ...credential, ...changes }] })

  test('are accepted on https and on localhost', () => {
    expect(parseOwners(owners)).toEqual(owners)
    expect(() => parseOwners(withCredential({ rpId: 'localhost', origins: ['http://localhost:5173'] }))).not.toThrow()
    expect(() => parseOwners(withCredential({ origins: ['https://pay.app.example'] }))).not.toThrow()
  })

  test.each<[string, unknown]>([
    ['nothing', null],
    ['another version', { ...owners, version: 2 }],
    ['a threshold that is not supported', { ...owners, threshold: 2 }],
    ['no credential', { ...owners, credentials: [] }],
    ['the same credential twice', { ...owners, credentials: [credential, credential] }],
    ['an unknown member', { ...owners, extra: 1 }],
    ['an origin of another site', withCredential({ origins: ['https://evil.example'] })],
    ['an origin that only ends alike', withCredential({ origins: ['https://notapp.example'] })],
    ['plain http', withCredential({ origins: ['http://app.example'] })],
    ['an origin with a path', withCredential({ origins: ['https://app.example/'] })],
    ['no origin', withCredential({ origins: [] })],
    ['a key off the curve', withCredential({ publicKey: `0x02${'ff'.repeat(32)}` })],
    ['another algorithm', withCredential({ algorithm: 'RS256' })],
  ])('with %s are refused', (_, input) => {
    expect(() => parseOwners(input)).toThrowError(refused('owners_invalid') as Error)
  })
})

/** A passkey that can sign anything, on https://app.example. */
function createOwner(byte: string) {
  const privateKey = fromHex(`0x${byte.repeat(32)}`)
  const publicKey = toHex(p256.getPublicKey(privateKey, true))
  const sample = createSampleOwner(byte)
  return { privateKey, publicKey, credential: sample.owners.credentials[0] as OwnersRecord['credentials'][0], sample }
}
const [first, second, third] = [createOwner('07'), createOwner('08'), createOwner('0a')]
const recoveryKey = createOwner('0b')
const record = (owners: (typeof first)[], changes: Partial<OwnersRecord> = {}): OwnersRecord => ({
  version: 1,
  sequence: 0,
  previous: null,
  threshold: 1,
  recovery: null,
  credentials: owners.map(({ credential }) => credential).sort((a, b) => (a.publicKey < b.publicKey ? -1 : 1)),
  ...changes,
})
const intentTo = (current: OwnersRecord | null, next: OwnersRecord, of = address) =>
  ({ kind: 'owners', address: of, ownersHash: ownersHash(current), chainId: 0, digest: ownersHash(next) }) as const

describe('a change of owners', () => {
  const current = record([first], { recovery: { kind: 'code', publicKey: recoveryKey.publicKey } })
  const next = record([first, second], { sequence: 1, previous: ownersHash(current), recovery: current.recovery })
  const agree = (owners: (typeof first)[], from: OwnersRecord | null = current, to = next): PasskeyApproval[] =>
    owners.map(({ sample }) => sample.approveIntent(intentTo(from, to), now + 60))
  const recover = (to: OwnersRecord, validUntil = now + 60) => {
    const salt: Hex = `0x${'0c'.repeat(16)}`
    const challenge = fromHex(intentChallenge({ ...intentTo(current, to), validUntil, salt }))
    const signature = toHex(p256.sign(sha256(challenge), recoveryKey.privateKey).toCompactRawBytes())
    return { signature, validUntil, salt }
  }
  const verify = (
    passkeys: PasskeyApproval[],
    to = next,
    recovery: ReturnType<typeof recover> | null = null,
    from: OwnersRecord | null = current,
  ) => verifyOwnersApproval({ passkeys, recovery }, { address, current: from, next: to }, now)

  test('needs an old owner and every new one', async () => {
    await verify(agree([first, second]))
    await expect(verify(agree([second]))).rejects.toEqual(refused('authorisation_required'))
    await expect(verify(agree([first]))).rejects.toEqual(refused('authorisation_required'))
    await expect(verify([])).rejects.toEqual(refused('authorisation_required'))
    await expect(verify(agree([first, second, third]))).rejects.toEqual(refused('authorisation_invalid'))
  })

  test('that only removes needs one of those who were there', async () => {
    const removed = record([first], { sequence: 2, previous: ownersHash(next) })
    await verify(agree([second], next, removed), removed, null, next)
    await expect(verify(agree([third], next, removed), removed, null, next)).rejects.toEqual(
      refused('authorisation_invalid'),
    )
  })

  test('in a first record needs every credential, also where the wallet had none', async () => {
    const both = record([first, second])
    await verify(agree([first, second], null, both), both, null, null)
    await expect(verify(agree([first], null, both), both, null, null)).rejects.toEqual(
      refused('authorisation_required'),
    )
  })

  test('must follow the current record', async () => {
    for (const wrong of [{ sequence: 2 }, { previous: zero32 }, { previous: null }]) {
      const to = { ...next, ...wrong }
      await expect(verify(agree([first, second], current, to), to)).rejects.toEqual(refused('owners_invalid'))
    }
  })

  test('is bound to its wallet and its time', async () => {
    const elsewhere = [first, second].map(({ sample }) =>
      sample.approveIntent(intentTo(current, next, zeroAddress), now + 60),
    )
    await expect(verify(elsewhere)).rejects.toEqual(refused('authorisation_invalid'))
    const at = (validUntil: number) =>
      [first, second].map(({ sample }) => sample.approveIntent(intentTo(current, next), validUntil))
    await expect(verify(at(now - 1))).rejects.toEqual(refused('authorisation_expired'))
    await expect(verify(at(now + 601))).rejects.toEqual(refused('authorisation_invalid'))
  })

  test('refuses a recovery approval that nobody would check: a receipt would show it', async () => {
    await expect(verify(agree([first, second]), next, recover(next))).rejects.toEqual(refused('authorisation_invalid'))
    const both = record([first, second])
    const made = verify(agree([first, second], null, both), both, recover(both), null)
    await expect(made).rejects.toEqual(refused('authorisation_invalid'))
  })

  test('by the recovery code needs the new passkey and uses the code up', async () => {
    const to = record([third], { sequence: 1, previous: ownersHash(current) })
    await verify(agree([third], current, to), to, recover(to))
    await expect(verify([], to, recover(to))).rejects.toEqual(refused('authorisation_required'))
    const at = (validUntil: number) => verify(agree([third], current, to), to, recover(to, validUntil))
    await expect(at(now - 1)).rejects.toEqual(refused('authorisation_expired'))
    await expect(at(now + 601)).rejects.toEqual(refused('authorisation_invalid'))
    await expect(verify(agree([third], current, to), to, recover(next))).rejects.toEqual(
      refused('authorisation_invalid'),
    )
    const again = { ...to, recovery: current.recovery }
    await expect(verify(agree([third], current, again), again, recover(again))).rejects.toEqual(
      refused('authorisation_invalid'),
    )
    const without = { ...to, previous: ownersHash(record([first])) }
    await expect(
      verify(agree([third], record([first]), without), without, recover(without), record([first])),
    ).rejects.toEqual(refused('authorisation_required'))
  })
})
