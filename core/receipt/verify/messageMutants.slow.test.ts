import { expect, test } from 'vitest'
import { canonicalJson, cidOf, type Json } from '../../bytes/index.js'
import { isErrorCode } from '../../errors/index.js'
import { mail, permit } from '../../message/testing/samples.js'
import { eventOf } from '../testing/eventOf.js'
import { mintMessage } from '../testing/mintMessage.js'
import { leafPaths, mutantsOf } from '../testing/mutants.js'
import { createSampleOwner } from '../testing/sampleOwner.js'
import { anchorsOf, createSimulatedWorld } from '../testing/simulatedWorld.js'
import { verifyReceipt } from './verifyReceipt.js'

/** As in a receipt of a transaction: docs/receipt-v1.md says so of each. `issuedAt` within a minute. */
const protectedByTheCidAlone = [
  'coordinator.fetchedAt',
  'issuedAt',
  'signer.platform',
  'signer.verifiedAt',
  'spec',
  'verification.instructions',
  'verification.trustAnchorsCid',
]

const world = await createSimulatedWorld()
const { receipt, evidence } = mintMessage(
  world,
  { scheme: 'eip712', typedData: permit },
  { owner: createSampleOwner() },
)
const options = { anchors: anchorsOf(world), lists: new Map() }

test('a message receipt that was changed and published itself passes only where nothing but the CID protects a member', async () => {
  const good = receipt as unknown as Json
  const passed = new Set<string>()
  for (const { value, path, what } of leafPaths(good).flatMap((leaf) => mutantsOf(good, leaf))) {
    const bytes = new TextEncoder().encode(canonicalJson(value))
    const cid = cidOf(bytes)
    const verdict = await verifyReceipt({ ...evidence, receipt: bytes, cid, events: [eventFor(value, cid)] }, options)
    if (verdict.verified) passed.add(path)
    const codes = verdict.steps.flatMap(({ code }) => (code === undefined ? [] : [code]))
    const stray = codes.filter((code) => !isErrorCode(code) || code === 'internal_error')
    expect({ path, what, stray }).toEqual({ path, what, stray: [] })
  }
  expect([...passed].sort()).toEqual(protectedByTheCidAlone)
}, 120_000)

test('no opening that was changed in one place opens the receipt', async () => {
  const minted = mintMessage(world, { scheme: 'eip712', typedData: mail })
  const good = JSON.parse(JSON.stringify(minted.opening)) as Json
  const mutants = leafPaths(good).flatMap((leaf) => mutantsOf(good, leaf))
  // Steps that have nothing to do with the opening, and take long.
  const skip = ['quote', 'coordinator_report', 'birth', 'measurements', 'coordinator_binding', 'statement'] as const
  const isOpened = async (given: unknown) => {
    const { steps } = await verifyReceipt({ ...minted.evidence, opening: given }, { ...options, skip })
    return steps.find(({ step }) => step === 'opening')?.status
  }
  expect(await isOpened(good)).toBe('pass')
  expect(mutants.length).toBeGreaterThan(200)
  const opened: string[] = []
  for (const { value, path, what } of mutants) {
    if ((await isOpened(value)) !== 'fail') opened.push(`${path} ${what}`)
  }
  // An address in upper case is the same address.
  expect(opened.filter((one) => !one.endsWith('upper case'))).toEqual([])
}, 120_000)

/** What names no wallet or commitment has no event of its own. */
function eventFor(value: Json, cid: string) {
  try {
    return eventOf(value as never, cid)
  } catch {
    return eventOf(receipt, cid)
  }
}
