import { p256 } from '@noble/curves/p256'
import { describe, expect, test } from 'vitest'
import { fromHex, toHex, type Hex } from '../bytes/index.js'
import { createSampleOwner } from '../receipt/testing/sampleOwner.js'
import { transactionIntent, verifyPasskeyApproval, zero32, zeroAddress, type PasskeyApproval } from './index.js'

const now = 1_800_000_000
const address: Hex = `0x${'ab'.repeat(20)}`
const digest: Hex = `0x${'cd'.repeat(32)}`
const refused = (code: string) => expect.objectContaining({ code }) as unknown
const stranger = toHex(p256.getPublicKey(fromHex(`0x${'08'.repeat(32)}`), true))

describe('an approval of a transaction', () => {
  const owner = createSampleOwner()
  const approval = owner.approve(address, 1, digest, now + 60)
  const verify = (changes: Partial<PasskeyApproval>, intent = transactionIntent(address, owner.owners, 1, digest)) =>
    verifyPasskeyApproval({ ...approval, ...changes }, owner.owners.credentials, intent)
  const withClientData = (change: (data: Record<string, unknown>) => unknown) => {
    const clientDataJSON = JSON.stringify(change(JSON.parse(approval.clientDataJSON) as Record<string, unknown>))
    return owner.resign({ ...approval, clientDataJSON })
  }
  const withFlags = (flags: string) =>
    owner.resign({
      ...approval,
      authenticatorData:
        `${approval.authenticatorData.slice(0, 66)}${flags}${approval.authenticatorData.slice(68)}` as Hex,
    })

  test('is accepted, with members that browsers add too', async () => {
    await verify({})
    await verify(withClientData((data) => ({ ...data, other_keys_can_be_added_here: 'do not compare' })))
    for (const flags of ['05', '0d', '1d']) await verify(withFlags(flags))
  })

  test.each<[string, () => Partial<PasskeyApproval>]>([
    ['for another type', () => withClientData((data) => ({ ...data, type: 'webauthn.create' }))],
    ['over another challenge', () => withClientData((data) => ({ ...data, challenge: 'AAAA' }))],
    ['on another page', () => withClientData((data) => ({ ...data, origin: 'https://evil.example' }))],
    ['inside another page', () => withClientData((data) => ({ ...data, crossOrigin: true }))],
    ['with a top origin', () => withClientData((data) => ({ ...data, topOrigin: 'https://app.example' }))],
    ['that is not an object', () => withClientData(() => [])],
    [
      'with a member twice',
      () => owner.resign({ ...approval, clientDataJSON: approval.clientDataJSON.replace('{', '{"type":"x",') }),
    ],
    ['that is too long', () => withClientData((data) => ({ ...data, more: 'x'.repeat(1024) }))],
    ['without the user', () => withFlags('1c')],
    ['without verification of the user', () => withFlags('19')],
    ['with attested data', () => withFlags('5d')],
    ['with extensions', () => withFlags('9d')],
    ['backed up without being eligible', () => withFlags('15')],
    ['for another RP', () => owner.resign({ ...approval, authenticatorData: `0x${'00'.repeat(32)}1d00000000` })],
    ['with longer data', () => owner.resign({ ...approval, authenticatorData: `${approval.authenticatorData}00` })],
    ['by a passkey that is no owner', () => ({ credential: stranger })],
    ['with another signature', () => ({ signature: owner.approve(address, 1, zero32, now + 60).signature })],
    ['with another salt', () => ({ salt: `0x${'00'.repeat(16)}` })],
    ['valid for longer than was agreed', () => ({ validUntil: now + 61 })],
  ])('%s is refused', async (_, changes) => {
    await expect(verify(changes())).rejects.toEqual(refused('authorisation_invalid'))
  })

  test.each<[string, Parameters<typeof transactionIntent>]>([
    ['wallet', [zeroAddress, owner.owners, 1, digest]],
    ['chain', [address, owner.owners, 2, digest]],
    ['digest', [address, owner.owners, 1, zero32]],
    ['record of owners', [address, { ...owner.owners, sequence: 1 }, 1, digest]],
  ])('for another %s is refused', async (_, intent) => {
    await expect(verify({}, transactionIntent(...intent))).rejects.toEqual(refused('authorisation_invalid'))
  })
})
