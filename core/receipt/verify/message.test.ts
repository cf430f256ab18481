import { describe, expect, test } from 'vitest'
import { cidOf, type Hex } from '../../bytes/index.js'
import { checksumAddress, type Message, type Opening } from '../../message/index.js'
import { hexOfText, signInText } from '../../message/testing/texts.js'
import { permit } from '../../message/testing/typedData.js'
import { receiptBytes } from '../buildReceipt.js'
import { parseAnyReceipt } from '../index.js'
import type { MessageReceiptV1 } from '../AnyReceipt.js'
import { eventOf } from '../testing/evidenceOf.js'
import { mintMessage, type MintedMessage } from '../testing/mintMessage.js'
import { mintReceipt } from '../testing/mintReceipt.js'
import { createSampleOwner } from '../testing/sampleOwner.js'
import { anchorsOf, createSimulatedWorld, signedAt } from '../testing/simulatedWorld.js'
import type { ReceiptEvidence, ReceiptVerdict, StepName } from './types.js'
import { messageSteps, verifyReceipt } from './verifyReceipt.js'

const world = await createSimulatedWorld()
const options = { anchors: anchorsOf(world), now: signedAt + 60 }
const owner = createSampleOwner()
const typed: Message = { scheme: 'eip712', typedData: permit }
const hello: Message = { scheme: 'eip191', message: hexOfText('Hello\u202e, world') }
const minted = mintMessage(world, typed)
const owned = mintMessage(world, hello, { owner })
const signIn = (site: string): Message => {
  const address = checksumAddress(minted.receipt.message.from)
  const text = signInText.replace(/0x\w{40}/, address).replace('service.example wants', `${site} wants`)
  return { scheme: 'eip191', message: hexOfText(text) }
}
const flip = (hex: string, at = 10) => `${hex.slice(0, at)}${hex[at] === '0' ? '1' : '0'}${hex.slice(at + 1)}` as Hex
const failures = ({ steps }: ReceiptVerdict) =>
  Object.fromEntries(steps.filter(({ status }) => status === 'fail').map(({ step, code }) => [step, code]))
const stepOf = ({ steps }: ReceiptVerdict, name: StepName) => steps.find(({ step }) => step === name)

/** As if we had published the changed receipt ourselves: CID and event are right, only the content is not. */
function published(change: (receipt: MessageReceiptV1) => void, from: MintedMessage = minted): ReceiptEvidence {
  const receipt = structuredClone(from.receipt)
  change(receipt)
  const bytes = receiptBytes(receipt)
  const cid = cidOf(bytes)
  return { ...from.evidence, receipt: bytes, cid, events: [eventOf(receipt, cid)] }
}

describe('without the opening', () => {
  test.each([
    ['typed data', minted],
    ['a message with a passkey', owned],
  ])('the receipt of %s verifies, and says that the content was not checked', async (_, { evidence, receipt }) => {
    const verdict = await verifyReceipt(evidence, options)
    expect(failures(verdict)).toEqual({})
    expect(verdict.steps.map(({ step }) => step)).toEqual(messageSteps.map(({ name }) => name))
    const { from: wallet, commitment: txHash } = receipt.message
    expect(verdict).toMatchObject({ verified: true, kind: 'message', skipped: ['opening'], wallet, txHash })
  })

  test.each([minted, owned])(
    'nothing of content, digest, signature or salt is in the receipt',
    ({ receipt, opening }) => {
      const text = new TextDecoder().decode(receiptBytes(receipt))
      expect(text).not.toContain(opening.signature.slice(2, 66))
      expect(text).not.toContain(opening.salt.slice(2))
      expect(text).not.toMatch(
        /Permit2|Hello|115792089237316195423570985008687907853269984665640564039457584007913129639935/,
      )
      expect(parseAnyReceipt(receiptBytes(receipt))).toEqual(receipt)
    },
  )

  test.each<[string, (r: MessageReceiptV1) => void, Partial<Record<StepName, string>>]>([
    ['another commitment', (r) => (r.message.commitment = flip(r.message.commitment)), { report_data: 'binding_mismatch' }], // prettier-ignore
    ['another request', (r) => (r.message.requestHash = flip(r.message.requestHash)), { statement: 'statement_invalid', report_data: 'binding_mismatch' }], // prettier-ignore
    ['another scheme', (r) => (r.message.scheme = 'eip191'), { statement: 'statement_invalid', report_data: 'binding_mismatch' }], // prettier-ignore
    ['another wallet', (r) => (r.message.from = flip(r.message.from)), { public_key: 'public_key_mismatch', statement: 'statement_invalid' }], // prettier-ignore
    ['another time', (r) => (r.signer.signedAt -= 1), { report_data: 'binding_mismatch' }],
    ['another chain in the policy', (r) => r.signer.policy.chainIds.push(99_999_999), { report_data: 'binding_mismatch' }], // prettier-ignore
    ['another subject', (r) => (r.authorisation.statement.subject = flip(r.authorisation.statement.subject)), { statement: 'statement_invalid', report_data: 'binding_mismatch', birth: 'birth_mismatch' }], // prettier-ignore
  ])('%s is noticed', async (_, change, expected) => {
    expect(failures(await verifyReceipt(published(change), options))).toMatchObject(expected)
  })

  test('an approval of another message is noticed', async () => {
    const other = mintMessage(world, { scheme: 'eip191', message: hexOfText('Other') }, { owner })
    const evidence = published((r) => (r.authorisation.passkey = other.receipt.authorisation.passkey), owned)
    expect(failures(await verifyReceipt(evidence, options))).toMatchObject({ passkey: 'authorisation_invalid' })
  })

  test('a transaction’s receipt cannot pass as a message’s', async () => {
    const { receipt, evidence } = mintReceipt(world)
    const { transaction: _, ...rest } = receipt
    const { message } = minted.receipt
    const bytes = receiptBytes({ ...rest, version: 'perigee-message/1', message } as MessageReceiptV1)
    const verdict = await verifyReceipt({ ...evidence, receipt: bytes, cid: cidOf(bytes) }, options)
    expect(failures(verdict)).toMatchObject({ statement: 'statement_invalid', report_data: 'binding_mismatch' })
  })
})

describe('with the opening', () => {
  const verify = ({ evidence }: MintedMessage, opening: unknown) => verifyReceipt({ ...evidence, opening }, options)

  test('every step passes, and the content is shown', async () => {
    const verdict = await verify(minted, JSON.parse(JSON.stringify(minted.opening)))
    expect(verdict).toMatchObject({ verified: true, failed: [], skipped: [] })
    expect(stepOf(verdict, 'opening')?.detail).toContain('"name":"Permit2"')
  })

  test('characters that would deceive a reader are escaped', async () => {
    const detail = stepOf(await verify(owned, owned.opening), 'opening')?.detail
    expect(detail).toBe('the wallet signed a message: "Hello\\u202e, world"')
  })

  test('a sign-in is named as one; for another site than the passkey’s page it would be refused', async () => {
    const good = mintMessage(world, signIn('app.example'), { owner })
    expect(stepOf(await verify(good, good.opening), 'opening')?.detail).toContain('a sign-in to app.example')
    const bad = mintMessage(world, signIn('service.example'), { owner }) // only a broken enclave signs this
    expect(failures(await verify(bad, bad.opening))).toEqual({ opening: 'sign_in_domain' })
  })

  const changed = (changes: Partial<Record<keyof Opening, unknown>>) => ({ ...minted.opening, ...changes })
  test.each<[string, string, unknown]>([
    ['another salt', 'opening_mismatch', changed({ salt: flip(minted.opening.salt) })],
    ['another message', 'opening_mismatch', changed({ message: hello })],
    ['another amount', 'opening_mismatch', changed({ message: { ...typed, typedData: { ...permit, message: { ...permit.message, deadline: '1' } } } })], // prettier-ignore
    ['another signature', 'opening_mismatch', changed({ signature: flip(minted.opening.signature) })],
    ['no signature', 'opening_invalid', changed({ signature: undefined })],
    ['another member', 'opening_invalid', changed({ ...({ note: 'x' } as object) })],
    ['a raw hash', 'message_scheme_unsupported', changed({ message: { scheme: 'hash', hash: '0x00' } })],
    ['null', 'opening_invalid', null],
    ['text', 'opening_invalid', 'x'],
  ])('%s: %s', async (_, code, opening) => {
    expect(failures(await verify(minted, opening))).toEqual({ opening: code })
  })

  test('a signature of another wallet is refused, even where the receipt commits to it', async () => {
    const foreign = mintMessage(world, typed, { signature: flip(minted.opening.signature) })
    expect(failures(await verify(foreign, undefined))).toEqual({})
    expect(failures(await verify(foreign, foreign.opening))).toEqual({ opening: 'signature_invalid' })
  })
})
