import { secp256k1 } from '@noble/curves/secp256k1'
import { describe, expect, test } from 'vitest'
import { ownersHash, type Authorisation } from '../../authorisation/index.js'
import { cidOf, fromHex, toHex, type Hex } from '../../bytes/index.js'
import type { BirthReceiptV1 } from '../AnyReceipt.js'
import { birthHash } from '../subjectOf.js'
import { receiptBytes } from '../buildReceipt.js'
import { eventOf } from '../testing/evidenceOf.js'
import { mintBirth, type MintedBirth } from '../testing/mintBirth.js'
import { mintReceipt } from '../testing/mintReceipt.js'
import { createSampleOwner } from '../testing/sampleOwner.js'
import { anchorsOf, createSimulatedWorld, signedAt } from '../testing/simulatedWorld.js'
import { vendorAnchors } from '../anchors/vendorAnchors.js'
import type { ReceiptVerdict, StepName, VerifyReceiptOptions } from './types.js'
import { birthSteps, verifyReceipt } from './verifyReceipt.js'

const world = await createSimulatedWorld()
const anchors = anchorsOf(world)
const born = mintBirth(world)
const owner = createSampleOwner()
const otherKey = toHex(secp256k1.getPublicKey(fromHex(`0x${'12'.repeat(32)}`), true))
const flip = (hex: string, at = 10) => `${hex.slice(0, at)}${hex[at] === '0' ? '1' : '0'}${hex.slice(at + 1)}` as Hex
const failures = ({ steps }: ReceiptVerdict) =>
  Object.fromEntries(steps.filter(({ status }) => status === 'fail').map(({ step, code }) => [step, code]))

/** As if we had published the changed birth ourselves: CID and event are right, only the content is not. */
function published(change: (birth: BirthReceiptV1) => void, from: MintedBirth = born): MintedBirth {
  const birth = structuredClone(from.birth)
  change(birth)
  const receipt = receiptBytes(birth)
  const cid = cidOf(receipt)
  return { birth, evidence: { ...from.evidence, receipt, cid, events: [eventOf(birth, cid)] } }
}

describe('a birth receipt by itself', () => {
  test.each([
    ['without owners', born],
    ['with owners', mintBirth(world, { owner })],
  ])('passes every step %s', async (_, { evidence, birth }) => {
    const verdict = await verifyReceipt(evidence, { anchors, now: signedAt })
    expect(verdict.steps.filter(({ status }) => status !== 'pass')).toEqual([])
    expect(verdict.steps.map(({ step }) => step)).toEqual(birthSteps.map(({ name }) => name))
    const { address } = birth.key
    expect(verdict).toMatchObject({ verified: true, kind: 'birth', wallet: address, txHash: birthHash(address) })
  })

  test('is refused under the vendors’ roots, because it is simulated', async () => {
    const verdict = await verifyReceipt(born.evidence, {
      anchors: { ...vendorAnchors(), contracts: anchors.contracts },
    })
    expect(failures(verdict)).toMatchObject({ quote: 'development_root', trust_anchors: 'development_root' })
  })

  test.each<[string, (b: BirthReceiptV1) => void, Partial<Record<StepName, string>>]>([
    ['another key', (b) => (b.key.publicKey = otherKey), { public_key: 'public_key_mismatch', report_data: 'binding_mismatch' }],
    ['another key id', (b) => (b.key.keyId = `key_${'0'.repeat(40)}`), { public_key: 'public_key_mismatch' }],
    ['another address', (b) => (b.key.address = flip(b.key.address)), { public_key: 'public_key_mismatch' }],
    ['another sealed key', (b) => (b.key.sealedKeyHash = flip(b.key.sealedKeyHash)), { report_data: 'binding_mismatch' }],
    ['another person', (b) => (b.key.subject = flip(b.key.subject)), { statement: 'statement_invalid' }],
    ['other owners', (b) => (b.key.ownersHash = flip(b.key.ownersHash)), { statement: 'statement_invalid', passkey: 'owners_invalid' }],
    ['another time', (b) => (b.key.createdAt -= 1), { report_data: 'binding_mismatch' }],
    ['another nonce', (b) => (b.signer.nonce = flip(b.signer.nonce)), { report_data: 'binding_mismatch' }],
    ['another statement', (b) => (b.authorisation.statement.expiresAt += 1), { statement: 'statement_invalid' }],
    ['another sample', (b) => (b.entropy.value = flip(b.entropy.value)), { entropy_witness: 'entropy_invalid' }],
    ['another coordinator', (b) => (b.coordinator.identity.service = 'x'), { coordinator_binding: 'coordinator_binding_mismatch' }],
    ['a changed quote', (b) => (b.signer.quote = flip(b.signer.quote, 1200)), { quote: 'quote_signature' }],
    ['no boot log', (b) => (b.signer.runtimeEvents = []), { measurements: 'event_log_invalid' }],
    ['real hardware claimed', (b) => (b.simulated = false), { trust_anchors: 'simulated_mismatch' }],
    ['a late verification', (b) => (b.signer.verifiedAt += 3700), { times: 'times_inconsistent' }],
    ['another contract', (b) => (b.verification.publication.contract = `0x${'01'.repeat(20)}`), { onchain_event: 'event_mismatch' }],
  ])('is refused with %s', async (_, change, expected) => {
    const verdict = await verifyReceipt(published(change).evidence, { anchors })
    expect(verdict.verified).toBe(false)
    expect(failures(verdict)).toMatchObject(expected)
  }) // prettier-ignore

  test('is refused when the owners did not agree, although the quote binds it', async () => {
    const stranger = createSampleOwner('08')
    const forged = mintBirth(world, { owner, authorisation: (good) => ({ ...good, owners: stranger.owners }) })
    expect(failures(await verifyReceipt(forged.evidence, { anchors }))).toMatchObject({
      statement: 'statement_invalid',
      passkey: 'authorisation_invalid',
    })
    const late = mintBirth(world, {
      owner,
      authorisation: (good) => ({ ...good, approval: { passkeys: [], recovery: null } }),
    })
    expect(failures(await verifyReceipt(late.evidence, { anchors }))).toMatchObject({
      passkey: 'authorisation_required',
    })
  })

  test('is no receipt of a signature, nor the other way round', async () => {
    const asBirth = structuredClone(mintReceipt(world).receipt) as unknown as BirthReceiptV1
    asBirth.version = 'perigee-birth/1'
    const receipt = receiptBytes(asBirth)
    const verdict = await verifyReceipt({ receipt, cid: cidOf(receipt) }, { anchors })
    expect(failures(verdict)).toMatchObject({ canonical_bytes: 'receipt_invalid' })
  })
})

describe('the step birth of a signing receipt', () => {
  const signed = mintReceipt(world)
  const ofSignature = async (birth: MintedBirth, options: Partial<VerifyReceiptOptions> = {}) => {
    const { evidence } = mintReceipt(world, { birth })
    return failures(await verifyReceipt(evidence, { anchors, ...options }))
  }

  test('passes, and says when the key was born', async () => {
    const verdict = await verifyReceipt(signed.evidence, { anchors })
    const step = verdict.steps.find(({ step }) => step === 'birth')
    expect(step).toMatchObject({ status: 'pass' })
    expect(step?.detail).toContain(new Date(signed.birth.key.createdAt * 1000).toISOString())
  })

  test.each<[string, () => MintedBirth, string]>([
    ['of another key', () => mintBirth(world, { publicKey: otherKey }), 'birth_mismatch'],
    ['for another person', () => mintBirth(world, { subject: `0x${'77'.repeat(32)}` }), 'birth_mismatch'],
    ['with owners that the signature does not know', () => mintBirth(world, { owner }), 'birth_mismatch'],
    ['after the signature', () => mintBirth(world, { createdAt: signedAt + 61 }), 'birth_late'],
    ['that does not verify', () => published((b) => (b.key.createdAt -= 1)), 'birth_invalid'],
    ['without an event', () => ({ ...born, evidence: { ...born.evidence, events: [] } }), 'birth_invalid'],
    ['without its collateral', () => ({ ...born, evidence: { ...born.evidence, collateral: new Uint8Array() } }), 'birth_invalid'],
  ])('refuses a birth %s', async (_, birth, code) => {
    expect(await ofSignature(birth())).toEqual({ birth: code })
  }) // prettier-ignore

  describe('and the first owners', () => {
    const first = ownersHash(owner.owners)
    const other: Hex = `0x${'99'.repeat(32)}`
    const owned = mintBirth(world, { owner })
    const recordOf = (sequence: number, previous: Hex | null) => createSampleOwner('08', { sequence, previous })
    const upgraded = (good: Authorisation) =>
      ({ ...good, passkey: good.passkey && { ...good.passkey, since: 'upgrade' } }) as Authorisation

    test.each([
      ['are other owners', recordOf(0, null)],
      ['were followed by a record of other owners', recordOf(1, other)],
      ['were followed by a record without a predecessor', recordOf(1, null)],
      ['had a predecessor', recordOf(0, first)],
      ['had a predecessor, many changes ago', recordOf(7, null)],
    ])('refuses a birth whose owners %s', async (_, shown) => {
      const { evidence } = mintReceipt(world, { birth: owned, owner: shown })
      expect(failures(await verifyReceipt(evidence, { anchors }))).toEqual({ birth: 'birth_mismatch' })
    })

    test.each([
      ['are still the owners', owner],
      ['were changed once', recordOf(1, first)],
      ['were changed often', recordOf(2, other)],
    ])('accepts a birth whose owners %s', async (_, shown) => {
      const { evidence } = mintReceipt(world, { birth: owned, owner: shown })
      expect(failures(await verifyReceipt(evidence, { anchors }))).toEqual({})
    })

    test.each([
      ['accepts the first record', recordOf(0, null), {}],
      ['accepts the second record', recordOf(1, other), {}],
      ['accepts a later record', recordOf(2, other), {}],
      ['refuses a first record with a predecessor', recordOf(0, other), { birth: 'birth_mismatch' }],
      ['refuses a second record without one', recordOf(1, null), { birth: 'birth_mismatch' }],
    ])('of a wallet that got them after its birth: %s', async (_, shown, expected) => {
      const { evidence } = mintReceipt(world, { birth: born, owner: shown, authorisation: upgraded })
      expect(failures(await verifyReceipt(evidence, { anchors }))).toEqual(expected)
    })
  })

  test('refuses two births of one wallet', async () => {
    const other = published((b) => (b.issuedAt = '2026-11-14T23:00:02.000Z'))
    const events = [...born.evidence.events, ...other.evidence.events]
    expect(await ofSignature({ ...born, evidence: { ...born.evidence, events } })).toEqual({ birth: 'birth_duplicate' })
    const elsewhere = [
      ...born.evidence.events,
      { ...other.evidence.events[0]!, contract: `0x${'01'.repeat(20)}` as Hex },
    ]
    const twice = { ...born, evidence: { ...born.evidence, events: elsewhere } }
    expect(await ofSignature(twice)).toEqual({})
    const both = [...anchors.contracts, { chainId: 31337, address: `0x${'01'.repeat(20)}` as Hex }]
    const expecting = { anchors: { ...anchors, contracts: both } }
    expect(await ofSignature(twice, expecting)).toEqual({ birth: 'birth_duplicate' })
    expect(failures(await verifyReceipt(twice.evidence, expecting))).toEqual({ onchain_event: 'event_mismatch' })
  })

  test('refuses a birth that was not given, other bytes under its CID, and what is no birth', async () => {
    const { birth: _, ...without } = signed.evidence
    expect(failures(await verifyReceipt(without, { anchors }))).toEqual({ birth: 'birth_missing' })
    const other = mintBirth(world, { publicKey: otherKey }).evidence
    const swapped = { ...signed.evidence, birth: { ...other, cid: signed.birth ? born.evidence.cid : '' } }
    expect(failures(await verifyReceipt(swapped, { anchors }))).toEqual({ birth: 'birth_mismatch' })
    const signature = { birth: born.birth, evidence: signed.evidence }
    expect(await ofSignature(signature)).toEqual({ birth: 'birth_invalid' })
  })

  test('is skipped when asked for, and then named', async () => {
    const { birth: _, ...without } = signed.evidence
    expect(await verifyReceipt(without, { anchors, skip: ['birth'] })).toMatchObject({
      verified: false,
      failed: [],
      skipped: ['birth'],
    })
  })

  test('leaves out in the birth what the reader leaves out, and says so', async () => {
    const { birth, ...rest } = signed.evidence
    const { events: _, ...quiet } = birth
    const skip = ['release_list', 'measurements', 'onchain_event'] as const
    const verdict = await verifyReceipt({ ...rest, birth: quiet }, { anchors, skip })
    expect(verdict).toMatchObject({ verified: false, failed: [], skipped: skip })
    expect(verdict.steps.find(({ step }) => step === 'birth')?.detail).toContain(
      'except release_list, measurements, onchain_event',
    )
  })

  test('verifies the birth of a wallet once for many receipts', async () => {
    const births: NonNullable<VerifyReceiptOptions['births']> = new Map()
    for (const nonce of [1, 2, 3]) {
      const { evidence } = mintReceipt(world, { transaction: { nonce } })
      expect((await verifyReceipt(evidence, { anchors, births })).verified).toBe(true)
    }
    expect(births.size).toBe(1)
    const spoilt = mintReceipt(world, { birth: published((b) => (b.key.createdAt -= 1)) })
    expect((await verifyReceipt(spoilt.evidence, { anchors, births })).verified).toBe(false)
  })
})
