import { expect, test } from 'vitest'
import {
  hashOf,
  zero32,
  type Authorisation,
  type PasskeyApproval,
  type Statement,
} from '../../../authorisation/index.js'
import type { Hex } from '../../../bytes/index.js'
import { mintReceipt } from '../../testing/mintReceipt.js'
import { createSampleOwner, signStatement } from '../../testing/sampleOwner.js'
import { createSimulatedWorld, signedAt } from '../../testing/simulatedWorld.js'
import { verifyReceipt } from '../verifyReceipt.js'

/* Receipts of an enclave that did not check who asked: its quote vouches for whatever it was given. */
const world = await createSimulatedWorld()
const owner = createSampleOwner()
const other: Hex = `0x${'0e'.repeat(32)}`

async function failuresOf(changes: Parameters<typeof mintReceipt>[1]) {
  const { evidence, anchors } = mintReceipt(world, changes)
  const { steps } = await verifyReceipt(evidence, { anchors })
  return Object.fromEntries(steps.filter(({ status }) => status === 'fail').map(({ step, code }) => [step, code]))
}
const restated = (changes: Partial<Statement>) => (good: Authorisation) => ({
  ...good,
  statement: signStatement({ ...good.statement, ...changes }),
})

test.each<[string, string, (good: Authorisation) => Authorisation]>([
  ['for another digest', 'statement_invalid', restated({ digest: other })],
  ['for another wallet', 'statement_invalid', restated({ address: `0x${'0e'.repeat(20)}` })],
  ['for another chain', 'statement_invalid', restated({ chainId: 1 })],
  ['for another purpose', 'statement_invalid', restated({ kind: 'change-owners' })],
  ['about an approval that is not there', 'statement_invalid', restated({ authorisationHash: other })],
  ['issued after the signature', 'statement_invalid', restated({ issuedAt: signedAt + 61, expiresAt: signedAt + 62 })],
  ['expired at the signature', 'statement_expired', restated({ issuedAt: signedAt - 9, expiresAt: signedAt - 1 })],
  [
    'that nobody signed',
    'statement_invalid',
    (good) => ({ ...good, statement: { ...good.statement, signature: `0x${'0e'.repeat(64)}` } }),
  ],
])('a statement %s fails its step alone: %s', async (_, code, authorisation) => {
  expect(await failuresOf({ authorisation })).toEqual({ statement: code })
})

test('a statement under a report that had expired fails its step alone', async () => {
  expect(await failuresOf({ reportLife: -1 })).toEqual({ statement: 'coordinator_expired' })
})

/** The statement is about the altered approval, so that only the passkey's step can notice. */
const approved = (change: (good: PasskeyApproval) => PasskeyApproval) => (good: Authorisation) => {
  if (good.passkey === null) throw new Error('no passkey')
  const { since, owners, ...approval } = good.passkey
  const changed = change(approval)
  const statement = signStatement({ ...good.statement, authorisationHash: hashOf(changed) })
  return { ...good, statement, passkey: { ...changed, since, owners } }
}
const approve = (validUntil: number, digest?: Hex) => (good: Authorisation) => {
  const { address, chainId } = good.statement
  return approved(() => owner.approve(address, chainId, digest ?? good.statement.digest, validUntil))(good)
}

test.each<[string, string, (good: Authorisation) => Authorisation]>([
  ['of another transaction', 'authorisation_invalid', approve(signedAt + 60, other)],
  ['that had expired', 'authorisation_expired', approve(signedAt - 1)],
  ['for longer than ten minutes', 'authorisation_invalid', approve(signedAt + 601)],
  ['with another salt', 'authorisation_invalid', approved((good) => ({ ...good, salt: `0x${'0e'.repeat(16)}` }))],
  [
    'by a passkey that is no owner',
    'authorisation_invalid',
    (good) => {
      const { address, chainId, digest } = good.statement
      return approved(() => createSampleOwner('08').approve(address, chainId, digest, signedAt + 60))(good)
    },
  ],
])('an approval %s fails its step alone: %s', async (_, code, authorisation) => {
  expect(await failuresOf({ owner, authorisation })).toEqual({ passkey: code })
})

test('owners since creation are enough for a reader who asks for them; later ones, and none, are not', async () => {
  const asked = { minimum: 'coordinator-attested', since: 'creation' } as const
  const statusOf = async (changes: Parameters<typeof mintReceipt>[1]) => {
    const { evidence, anchors } = mintReceipt(world, changes)
    const { steps } = await verifyReceipt(evidence, { anchors: { ...anchors, authorisation: asked } })
    const { status, code } = steps.find(({ step }) => step === 'passkey')!
    return code ?? status
  }
  const upgraded = (good: Authorisation): Authorisation => ({
    ...good,
    passkey: { ...good.passkey!, since: 'upgrade' },
  })
  expect(await statusOf({ owner })).toBe('pass')
  expect(await statusOf({ owner, authorisation: upgraded })).toBe('authorisation_level')
  expect(await statusOf({})).toBe('authorisation_level')
})

test('an approval that the statement does not name fails the statement', async () => {
  const authorisation = restated({ authorisationHash: zero32 })
  expect(await failuresOf({ owner, authorisation })).toEqual({ statement: 'statement_invalid' })
})
