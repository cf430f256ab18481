import { expect, test } from 'vitest'
import { createRandom } from '../../../tests/createRandom.js'
import { canonicalJson, cidOf, type Json } from '../../bytes/index.js'
import type { ReleaseAnnouncement } from '../../releases/index.js'
import { receiptBytes } from '../buildReceipt.js'
import { eventOf } from '../testing/evidenceOf.js'
import { codeFor, firstFailure } from '../testing/firstFailure.js'
import { mintReceipt } from '../testing/mintReceipt.js'
import { leafPaths, mutantsOf } from '../testing/mutants.js'
import { createSimulatedWorld } from '../testing/simulatedWorld.js'
import type { PublishedEvent, ReceiptEvidence, ReceiptVerdict, StepName } from './types.js'

const { evidence, anchors, receipt } = mintReceipt(await createSimulatedWorld())
const encode = (text: string) => new TextEncoder().encode(text)
const births = new Map<string, Promise<ReceiptVerdict>>()
const lists = new Map()
const codeOf = async (changed: Partial<ReceiptEvidence>, skip: StepName[] = [], known: typeof births | null = births) =>
  codeFor(await firstFailure({ ...evidence, ...changed }, { anchors, skip, lists, ...(known && { births: known }) }))

/** Not about the quote. Leaving them out can only make a verdict better. */
const elsewhere: StepName[] = ['entropy_witness', 'coordinator_report', 'coordinator_binding', 'statement', 'passkey']

/** The evidence of a receipt that names this collateral, published like any other. */
function naming(collateral: Uint8Array): ReceiptEvidence {
  const changed = structuredClone(receipt)
  changed.signer.collateralCid = cidOf(collateral)
  const bytes = receiptBytes(changed)
  const cid = cidOf(bytes)
  return { ...evidence, receipt: bytes, cid, collateral, events: [eventOf(changed, cid)] }
}

test('no collateral changed in one place passes, not even when the receipt names it', async () => {
  const good = JSON.parse(new TextDecoder().decode(evidence.collateral)) as Json
  const mutants = leafPaths(good).flatMap((path) => mutantsOf(good, path))
  const flipped = bitFlips(evidence.collateral, 400)
  expect(mutants.length + flipped.length).toBeGreaterThan(450)
  for (const collateral of [...mutants.map(({ value }) => encode(canonicalJson(value))), ...flipped]) {
    expect(await codeOf(naming(collateral), elsewhere)).toMatch(/^(?!passed|stray)/)
  }
  expect(await codeOf(naming(evidence.collateral))).toBe('passed')
})

test('no bit of a list of builds, nor of the birth, can be flipped', async () => {
  const [list] = evidence.releases.lists as [Uint8Array]
  for (const changed of bitFlips(list, 100)) {
    const releases = { ...evidence.releases, lists: [changed] }
    expect(await codeOf({ releases }, [...elsewhere, 'quote', 'collateral_cid', 'report_data'])).toBe(
      'evidence_missing',
    )
  }
  for (const changed of bitFlips(evidence.birth.receipt, 100)) {
    const birth = { ...evidence.birth, receipt: changed }
    const skip: StepName[] = [...elsewhere, 'quote', 'collateral_cid', 'report_data', 'release_list', 'measurements']
    expect(await codeOf({ birth }, skip)).toBe('birth_mismatch')
  }
})

test('an event changed in one place passes only in what the node alone can know', async () => {
  const [event, birthEvent] = [evidence.events[0]!, evidence.birth.events[0]!]
  const passedBy = async (
    changedEvidence: (changed: PublishedEvent) => Partial<ReceiptEvidence>,
    good: PublishedEvent,
  ) => {
    const passed = new Set<string>()
    for (const { path, value } of mutantsIn(good)) {
      const code = await codeOf(changedEvidence(value as unknown as PublishedEvent), [], null)
      if (code === 'passed') passed.add(path)
      else expect(code).toMatch(/^(?!stray)/)
    }
    return [...passed].sort()
  }
  // The node's word: which block, when, how deep, and by which transaction it was published.
  const nodesWord = ['blockNumber', 'blockTimestamp', 'confirmations', 'transactionHash']
  expect(await passedBy((changed) => ({ events: [changed] }), event)).toEqual(nodesWord)
  const ofBirth = (changed: PublishedEvent) => ({ birth: { ...evidence.birth, events: [changed] } })
  expect(await passedBy(ofBirth, birthEvent)).toEqual(nodesWord)
})

test('an announcement changed in one place passes only in its block', async () => {
  const passed = new Set<string>()
  const [good] = evidence.releases.announcements as [ReleaseAnnouncement]
  for (const { path, value } of mutantsIn(good)) {
    const announcements = [value as unknown as ReleaseAnnouncement]
    const code = await codeOf({ releases: { ...evidence.releases, announcements } })
    if (code === 'passed') passed.add(path)
    else expect(code).toMatch(/^(?!stray)/)
  }
  expect([...passed].sort()).toEqual(['blockNumber', 'logIndex'])
})

/** Members keep their types and their letters' case: whatever a node sends is parsed before it becomes an event. */
function mutantsIn(good: object) {
  const json = good as unknown as Json
  const names = Object.keys(good).filter((name) => name !== 'kind')
  return names.flatMap((name) => {
    const memberOf = (value: unknown) => (value as Record<string, unknown>)[name]
    const isOther = (value: unknown) => String(memberOf(value)).toLowerCase() !== memberOf(good)
    return mutantsOf(json, [name]).filter(
      ({ value }) => typeof memberOf(value) === typeof memberOf(good) && isOther(value),
    )
  })
}

function bitFlips(bytes: Uint8Array, count: number): Uint8Array[] {
  const random = createRandom(24)
  return Array.from({ length: count }, () => {
    const bit = random.below(bytes.length * 8)
    const flipped = bytes.slice()
    flipped[bit >> 3] = (flipped[bit >> 3] as number) ^ (1 << (bit & 7))
    return flipped
  })
}
