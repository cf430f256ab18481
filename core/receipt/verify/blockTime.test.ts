import { describe, expect, test } from 'vitest'
import { tdxSerials } from '../../simulation/testing/index.js'
import { mintReceipt } from '../testing/mintReceipt.js'
import { createSimulatedWorld, signedAt } from '../testing/simulatedWorld.js'
import { timesApart } from './verificationTime.js'
import type { ReceiptEvidence, ReceiptVerdict, VerifyReceiptOptions } from './types.js'
import { verifyReceipt } from './verifyReceipt.js'

const day = 86_400
const world = await createSimulatedWorld()
const { evidence, anchors } = mintReceipt(world) // collateral issued a day before the signature
const failures = ({ steps }: ReceiptVerdict) =>
  Object.fromEntries(steps.filter(({ status }) => status === 'fail').map(({ step, code }) => [step, code]))
const verify = (given: ReceiptEvidence, options: Partial<VerifyReceiptOptions> = {}) =>
  verifyReceipt(given, { anchors, ...options })
const detailOf = ({ steps }: ReceiptVerdict, name: string) => steps.find(({ step }) => step === name)?.detail

/** The same receipt, in a block of that time. */
const inBlockOf = (blockTimestamp: number, given: ReceiptEvidence = evidence): ReceiptEvidence => ({
  ...given,
  events: given.events!.map((event) => ({ ...event, blockTimestamp })),
})

describe('the block’s time', () => {
  test('is the one as of which quote and report are judged, and the verdict has both', async () => {
    const verdict = await verify(evidence)
    expect(verdict).toMatchObject({ verified: true, signedAt, blockTime: signedAt + 8, asOf: signedAt + 8 })
    expect(detailOf(verdict, 'quote')).toMatch(/\(the time of block 12\), by collateral issued 2026-11-14T00:00:00/)
  })

  test('is that of the first event that names the receipt', async () => {
    const [event] = evidence.events
    const again = { ...event!, blockNumber: 900, blockTimestamp: signedAt + 300 * day }
    for (const events of [
      [event!, again],
      [again, event!],
    ]) {
      expect(await verify({ ...evidence, events })).toMatchObject({ verified: true, blockTime: signedAt + 8 })
    }
  })

  test('of a contract that the verifier does not expect counts for nothing', async () => {
    const expected = { ...anchors, contracts: [{ chainId: 31337, address: `0x${'01'.repeat(20)}` as const }] }
    expect(await verify(evidence, { anchors: expected })).toMatchObject({ blockTime: null, asOf: signedAt + 1 })
  })

  test('has collateral at most 7 days old, whatever the receipt’s own times say', async () => {
    const last = signedAt - day + 7 * day
    expect(failures(await verify(inBlockOf(last)))).toEqual({})
    expect(failures(await verify(inBlockOf(last + 1)))).toEqual({ quote: 'collateral_outdated' })
    expect(failures(await verify(inBlockOf(signedAt + 30 * day)))).toMatchObject({ quote: 'collateral_expired' })
  })

  test.each<[string, object]>([
    ['TCB info', { tcbInfo: { issueDate: '2026-11-01T00:00:00Z' } }],
    ['QE identity', { qeIdentity: { issueDate: '2026-11-01T00:00:00Z' } }],
    ['PCK CRL', { crlIssuedAt: signedAt - 14 * day }],
  ])('is compared with the issue date of the %s', async (_, old) => {
    const collateral = await world.collateralOf(signedAt - day, old)
    const minted = mintReceipt(world, { assembled: { at: signedAt + 1, collateral } })
    expect(failures(await verify(minted.evidence))).toEqual({ quote: 'collateral_outdated' })
  })

  test('has collateral that was issued before it', async () => {
    const collateral = await world.collateralOf(signedAt + 100)
    const minted = mintReceipt(world, { assembled: { at: signedAt + 1, collateral } })
    expect(failures(await verify(minted.evidence))).toMatchObject({ quote: 'collateral_not_yet_valid' })
  })

  test('is not before the receipt', async () => {
    const early = { times: 'times_inconsistent' }
    expect(failures(await verify(inBlockOf(signedAt - 60)))).toEqual(early)
    expect(failures(await verify(inBlockOf(NaN)))).toMatchObject({ ...early, quote: 'time_invalid' })
  })

  test('decides about a birth too: that of its own event, also when the caller gives a time for the receipt', async () => {
    const late = { ...evidence, birth: inBlockOf(signedAt + 8 * day, evidence.birth) }
    expect(failures(await verify(late))).toEqual({ birth: 'birth_invalid' })
    expect(detailOf(await verify(late), 'birth')).toMatch(/quote: the collateral was issued 9 days before/)
    expect(failures(await verify(late, { at: signedAt }))).toEqual({ birth: 'birth_invalid' })
    expect((await verify(evidence, { at: signedAt + 5 * day })).verified).toBe(true)
  })
})

test('without an event nobody else saw the time, and the step says so', async () => {
  const verdict = await verify(evidence, { skip: ['onchain_event'] })
  expect(verdict).toMatchObject({ blockTime: null, asOf: signedAt + 1 })
  expect(detailOf(verdict, 'quote')).toMatch(/the receipt’s own time: without an event, nobody else saw it/)
  const old = mintReceipt(world, { assembled: { at: signedAt + 10 * day } })
  const skipped = await verify(old.evidence, { skip: ['onchain_event'] })
  expect(failures(skipped)).toEqual({ quote: 'collateral_outdated' })
})

describe('a signature that is published weeks later', () => {
  const publishedAt = signedAt + 20 * day

  test('passes with collateral of that day, and both times are shown', async () => {
    const collateral = await world.collateralOf(publishedAt - day)
    const repaired = mintReceipt(world, { assembled: { at: publishedAt, collateral } })
    const verdict = await verify(repaired.evidence, { explain: true })
    expect(failures(verdict)).toEqual({})
    expect(verdict).toMatchObject({ signedAt, blockTime: publishedAt + 7, asOf: publishedAt + 7 })
    expect(timesApart(verdict)).toMatch(/20 days apart/)
    expect(verdict.explanation?.time).toMatch(/made 2026-11-15T00:00:00.000Z.*2026-12-05.*20 days apart/)
  })

  test('with a since revoked key, dated back, is refused with the old collateral and with the new', async () => {
    const revokedByPckCa = [tdxSerials.pck]
    const revoking = await world.collateralOf(publishedAt - day, { revokedByPckCa })
    const withNew = mintReceipt(world, { assembled: { at: publishedAt, collateral: revoking } })
    expect(failures(await verify(withNew.evidence))).toMatchObject({ quote: 'cert_revoked' })
    const before = await world.collateralOf(publishedAt - 8 * day) // still in force, and does not know of it yet
    const withOld = mintReceipt(world, { assembled: { at: publishedAt - 8 * day, collateral: before } })
    expect(failures(await verify(withOld.evidence))).toEqual({}) // had it been published then
    expect(failures(await verify(inBlockOf(publishedAt, withOld.evidence)))).toEqual({ quote: 'collateral_outdated' })
  })
})

test('times a day apart need no word', () => {
  expect(timesApart({ signedAt, blockTime: signedAt + day })).toBeNull()
  expect(timesApart({ signedAt, blockTime: null })).toBeNull()
  expect(timesApart({ signedAt, blockTime: signedAt + day + 1 })).toMatch(/more than a day apart/)
  expect(timesApart({ signedAt, blockTime: signedAt - 3 * day })).toMatch(/3 days apart/)
})
