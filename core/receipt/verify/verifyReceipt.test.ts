import { describe, expect, test } from 'vitest'
import { cidOf, fromHex } from '../../bytes/index.js'
import { receiptBytes } from '../buildReceipt.js'
import { eventOf } from '../testing/evidenceOf.js'
import { mintReceipt, type Minted } from '../testing/mintReceipt.js'
import { createSampleOwner } from '../testing/sampleOwner.js'
import { createSimulatedWorld, sampleEntropy, signedAt } from '../testing/simulatedWorld.js'
import { vendorAnchors } from '../anchors/vendorAnchors.js'
import { hashed } from './evidence.js'
import { stepNames, type StepName, type VerifyReceiptOptions } from './types.js'
import { checkReceipt, receiptSteps, verifyReceipt } from './verifyReceipt.js'

const world = await createSimulatedWorld()
const { evidence, anchors, receipt } = mintReceipt(world)
const verify = (changes: Partial<typeof evidence> = {}, options: Partial<VerifyReceiptOptions> = {}) =>
  verifyReceipt({ ...evidence, ...changes }, { anchors, ...options })

/** As if we ourselves had published the changed receipt: CID and event are right, only the content is not. */
async function verifyPublished(
  change: (receipt: Minted['receipt']) => void,
  options: Partial<VerifyReceiptOptions> = {},
) {
  const changed = structuredClone(receipt)
  change(changed)
  const bytes = receiptBytes(changed)
  const cid = cidOf(bytes)
  return verify({ receipt: bytes, cid, events: [eventOf(changed, cid)] }, options)
}
const failures = ({ steps }: Awaited<ReturnType<typeof verify>>) =>
  Object.fromEntries(steps.filter((step) => step.status === 'fail').map((step) => [step.step, step.code]))
const flip = (hex: string, at = 10) =>
  `${hex.slice(0, at)}${hex[at] === '0' ? '1' : '0'}${hex.slice(at + 1)}` as `0x${string}`

describe('verifyReceipt', () => {
  test.each([4, 5] as const)(
    'passes every step of a receipt with a v%s quote under the verifier’s roots',
    async (version) => {
      const minted = mintReceipt(world, { quoteVersion: version })
      const verdict = await verifyReceipt(minted.evidence, { anchors, now: signedAt + 100 })
      expect(verdict.steps.filter((step) => step.status !== 'pass')).toEqual([])
      expect(verdict).toMatchObject({
        verified: true,
        simulated: true,
        failed: [],
        skipped: [],
        cid: minted.evidence.cid,
        txHash: minted.receipt.transaction.txHash,
        signedAt,
        blockTime: signedAt + 8,
        asOf: signedAt + 8,
      })
    },
  )

  test('passes every step of a receipt that a passkey approved, also where the verifier asks for that', async () => {
    const minted = mintReceipt(world, { owner: createSampleOwner() })
    const strict = { ...anchors, authorisation: { minimum: 'passkey-verified' as const } }
    const verdict = await verifyReceipt(minted.evidence, { anchors: strict, now: signedAt + 100 })
    expect(verdict.steps.filter((step) => step.status !== 'pass')).toEqual([])
    expect(failures(await verify({}, { anchors: strict }))).toEqual({ passkey: 'authorisation_level' })
    expect(minted.evidence.receipt.length - evidence.receipt.length).toBeLessThan(2000)
  })

  test('reports the steps in their published order, one at a time', async () => {
    const seen: StepName[] = []
    for await (const result of checkReceipt(evidence, { anchors })) seen.push(result.step)
    expect(seen).toEqual(stepNames)
    expect(receiptSteps.map((step) => step.name)).toEqual(stepNames)
  })

  test('refuses simulated hardware under the vendors’ roots', async () => {
    const verdict = await verify({}, { anchors: { ...vendorAnchors(), contracts: anchors.contracts } })
    expect(verdict).toMatchObject({ verified: false, simulated: true })
    expect(failures(verdict)).toMatchObject({
      coordinator_report: 'development_root',
      quote: 'development_root',
      entropy_witness: 'entropy_untrusted',
      trust_anchors: 'development_root',
    })
  })

  test('fails a step that lacks what it needs, and all steps after an unreadable receipt', async () => {
    const bare = await verifyReceipt({ receipt: evidence.receipt }, { anchors })
    expect(failures(bare)).toEqual({
      cid: 'evidence_missing',
      collateral_cid: 'evidence_missing',
      quote: 'evidence_missing',
      report_data: 'step_not_run',
      release_list: 'evidence_missing',
      measurements: 'step_not_run',
      onchain_event: 'evidence_missing',
      birth: 'birth_missing',
    })
    const unreadable = await verifyReceipt({ receipt: fromHex('0x7b7d') }, { anchors })
    expect(unreadable).toMatchObject({ verified: false, simulated: null, txHash: null })
    expect(unreadable.steps.every((step) => step.status === 'fail')).toBe(true)
    expect(failures(unreadable)).toMatchObject({ canonical_bytes: 'receipt_invalid', signature: 'step_not_run' })
  })

  test('reports a skipped step as skipped, never as passed, and names it in the verdict', async () => {
    const skip = ['cid', 'release_list', 'measurements', 'onchain_event'] as const
    const verdict = await verifyReceipt(
      { receipt: evidence.receipt, collateral: evidence.collateral, birth: evidence.birth },
      { anchors, skip },
    )
    expect(verdict).toMatchObject({ verified: false, skipped: skip, failed: [] })
    expect(verdict.steps.filter((step) => step.status === 'skip').map((step) => step.step)).toEqual(skip)
    const withoutQuote = await verify({}, { skip: ['quote'] })
    expect(failures(withoutQuote)).toEqual({
      report_data: 'step_not_run',
      measurements: 'step_not_run',
      birth: 'evidence_missing',
    })
  })

  test.each(['canonical_bytes', 'transaction_digest', 'signature', 'public_key', 'trust_anchors', 'nothing'])(
    'does not let a caller skip %s',
    async (name) => {
      const asked = verify({}, { skip: [name as StepName] })
      await expect(asked).rejects.toMatchObject({ code: 'invalid_request' })
    },
  )

  test.each([NaN, -1, 1.5, Infinity])('refuses %s as a time', async (time) => {
    await expect(verify({}, { at: time })).rejects.toMatchObject({ code: 'invalid_request' })
    await expect(verify({}, { now: time })).rejects.toMatchObject({ code: 'invalid_request' })
  })

  test('verifies as of the caller’s time when one is given', async () => {
    const later = await verify({}, { at: signedAt + 30 * 86_400 })
    expect(failures(later)).toMatchObject({ quote: 'collateral_expired' })
    expect(later.asOf).toBe(signedAt + 30 * 86_400)
  })

  test('shows with explain the exact bytes behind every digest', async () => {
    const verdict = await verify({}, { explain: true })
    const all = verdict.steps.flatMap((step) => step.hashed ?? [])
    expect(all.map((one) => one.what)).toEqual(expect.arrayContaining(['receipt', 'sign binding', 'collateral']))
    for (const one of all) {
      const work = { evidence, options: { anchors }, hashed: [], verify: verifyReceipt }
      expect(hashed(work, one.what, one.algorithm, fromHex(one.bytes))).toBe(one.digest)
    }
    expect((await verify()).steps.some((step) => step.hashed)).toBe(false)
  })
})

describe('a receipt that we published ourselves but that is not true', () => {
  test.each<[string, (r: Minted['receipt']) => void, Partial<Record<StepName, string>>]>([
    ['another amount', (r) => (r.transaction.value = '1'), { transaction_digest: 'digest_mismatch' }],
    ['fees no chain takes', (r) => (r.transaction.maxFeePerGas = '1'), { transaction_digest: 'transaction_invalid' }],
    ['another txHash', (r) => (r.transaction.txHash = flip(r.transaction.txHash)), { transaction_digest: 'tx_hash_mismatch' }],
    ['another wallet', (r) => (r.transaction.from = flip(r.transaction.from)), { signature: 'signature_invalid', public_key: 'public_key_mismatch' }],
    ['a key off the curve', (r) => (r.signer.publicKey = `0x02${'ff'.repeat(32)}`), { public_key: 'public_key_mismatch' }],
    ['another key id', (r) => (r.signer.keyId = 'key-2'), { report_data: 'binding_mismatch' }],
    ['another nonce', (r) => (r.signer.nonce = flip(r.signer.nonce)), { report_data: 'binding_mismatch' }],
    ['another policy', (r) => (r.signer.policy.maxValue += '0'), { report_data: 'binding_mismatch' }],
    ['another time of signing', (r) => (r.signer.signedAt -= 1), { report_data: 'binding_mismatch' }],
    ['another status', (r) => (r.signer.tcbStatus = 'OutOfDate'), { quote: 'claim_mismatch' }],
    ['an advisory that is not open', (r) => r.signer.advisoryIds.push('INTEL-SA-00001'), { quote: 'claim_mismatch' }],
    ['another TDX root', (r) => (r.signer.rootFingerprint = flip(r.signer.rootFingerprint)), { quote: 'root_not_trusted' }],
    ['events that do not replay', (r) => (r.signer.runtimeEvents = []), { measurements: 'event_log_invalid' }],
    ['a changed quote', (r) => (r.signer.quote = flip(r.signer.quote, 1200)), { quote: 'quote_signature' }],
    ['another report hash', (r) => (r.coordinator.reportHash = flip(r.coordinator.reportHash)), { coordinator_report: 'claim_mismatch' }],
    ['another coordinator', (r) => (r.coordinator.identity.service = 'other'), { coordinator_binding: 'coordinator_binding_mismatch' }],
    ['another publisher', (r) => r.coordinator.identity.publishers.pop(), { coordinator_binding: 'coordinator_binding_mismatch' }],
    ['an unsigned entropy value', (r) => (r.entropy.value = flip(r.entropy.value)), { entropy_witness: 'entropy_invalid', report_data: 'binding_mismatch' }],
    ['real hardware claimed', (r) => (r.simulated = false), { trust_anchors: 'simulated_mismatch' }],
    ['a report from after the signature', (r) => (r.coordinator.fetchedAt = signedAt + 61), { times: 'times_inconsistent' }],
    ['a report that is too old', (r) => (r.coordinator.fetchedAt -= 8 * 86_400), { times: 'times_inconsistent' }],
    ['a late verification', (r) => (r.signer.verifiedAt += 3700), { times: 'times_inconsistent' }],
    ['no date', (r) => (r.issuedAt = '2026-99-99T99:99:99.999Z'), { times: 'times_inconsistent' }],
    ['another contract', (r) => (r.verification.publication.contract = `0x${'01'.repeat(20)}`), { onchain_event: 'event_mismatch' }],
  ])('is refused with %s', async (_, change, expected) => {
    const verdict = await verifyPublished(change)
    expect(verdict.verified).toBe(false)
    expect(failures(verdict)).toMatchObject(expected)
  }) // prettier-ignore

  test('is refused with entropy that was signed after, or long before, the signature', async () => {
    for (const [producedAt, code] of [
      [signedAt + 100, 'entropy_invalid'],
      [signedAt - 700, 'entropy_stale'],
    ] as const) {
      const minted = mintReceipt(world, { entropy: sampleEntropy('43', producedAt) })
      expect(failures(await verifyReceipt(minted.evidence, { anchors }))).toMatchObject({ entropy_witness: code })
    }
  })

  test('is refused from the future, when today is known', async () => {
    expect(failures(await verify({}, { now: signedAt - 100 }))).toEqual({ times: 'times_inconsistent' })
  })
})

describe('the event', () => {
  const unpublished = { onchain_event: 'event_missing' } as const
  const event = evidence.events[0]!
  test.each<[string, Partial<typeof event>[], Partial<Record<StepName, string>>]>([
    ['none', [], unpublished],
    ['of another contract', [{ contract: `0x${'01'.repeat(20)}` }], unpublished],
    ['on another chain', [{ chainId: 1 }], unpublished],
    ['for another wallet', [{ wallet: `0x${'01'.repeat(20)}` }], unpublished],
    ['naming another receipt', [{ ipfsCid: world.collateralCid }], { onchain_event: 'event_mismatch' }],
    ['contradicted by a second', [{}, { ipfsCid: world.collateralCid }], { onchain_event: 'event_mismatch' }],
    ['unconfirmed', [{ confirmations: 0 }], { onchain_event: 'event_missing' }],
    ['from before the signature', [{ blockTimestamp: signedAt - 61 }], { times: 'times_inconsistent' }],
  ])('%s is refused', async (_, changes, expected) => {
    const events = changes.map((change) => ({ ...event, ...change }))
    expect(failures(await verify({ events }))).toEqual(expected)
  })

  test('names the receipt when the caller knows no CID', async () => {
    const { receipt: bytes, collateral, releases, birth } = evidence
    const found = await verifyReceipt({ receipt: bytes, collateral, releases, birth, events: [event] }, { anchors })
    expect(found.verified).toBe(true)
    const events = [{ ...event, ipfsCid: world.collateralCid }]
    const other = await verifyReceipt({ receipt: bytes, collateral, releases, birth, events }, { anchors })
    expect(failures(other)).toEqual({ ...unpublished, cid: 'cid_mismatch', onchain_event: 'event_mismatch' })
  })

  test('is contradicted by one of any contract that the reader expects on its chain', async () => {
    const former = { chainId: event.chainId, address: `0x${'0f'.repeat(20)}` } as const
    const both = { anchors: { ...anchors, contracts: [former, ...anchors.contracts] } }
    const there = { ...event, contract: former.address, blockNumber: 3 }
    const second = { ...there, ipfsCid: world.collateralCid }
    const refused = { onchain_event: 'event_mismatch' }
    expect(failures(await verify({ events: [event, second] }, both))).toEqual(refused)
    expect(failures(await verify({ events: [second] }, both))).toEqual(refused)
    expect(failures(await verify({ events: [event, second] }))).toEqual({})
    expect(failures(await verify({ events: [event, { ...second, chainId: 1 }] }, both))).toEqual({})
    // The same receipt there is no contradiction, but only the contract that it names publishes it and gives its time.
    const again = await verify({ events: [there, event] }, both)
    expect(again).toMatchObject({ verified: true, blockTime: event.blockTimestamp })
    expect(failures(await verify({ events: [there] }, both))).toEqual(unpublished)
  })

  test('of another wallet or contract says nothing about bytes without a CID', async () => {
    const { cid: _, ...nameless } = evidence
    const other = { ...event, ipfsCid: world.collateralCid }
    const events = [event, { ...other, wallet: flip(event.wallet) }, { ...other, contract: flip(event.contract) }]
    expect(failures(await verifyReceipt({ ...nameless, events }, { anchors }))).toEqual({})
  })

  test('may need more confirmations', async () => {
    expect((await verify({}, { minConfirmations: 3 })).verified).toBe(true)
    const deeper = { onchain_event: 'event_missing', birth: 'birth_invalid' }
    expect(failures(await verify({}, { minConfirmations: 4 }))).toEqual(deeper)
  })
})
