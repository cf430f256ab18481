import { expect, test } from 'vitest'
import { createRandom } from '../../../tests/createRandom.js'
import { cidOf, type Json } from '../../bytes/index.js'
import { ServiceError } from '../../errors/index.js'
import { codeFor, firstFailure } from '../testing/firstFailure.js'
import { mintReceipt } from '../testing/mintReceipt.js'
import { leafPaths, mutantsOf } from '../testing/mutants.js'
import { createSimulatedWorld } from '../testing/simulatedWorld.js'
import type { ReceiptEvidence, ReceiptVerdict } from '../verify/index.js'
import { parseBundle, printBundle } from './bundle.js'

const { evidence, anchors } = mintReceipt(await createSimulatedWorld())
const text = printBundle({ evidence, anchors })
const bundle = JSON.parse(text) as Json
const lists = new Map()
const births = new Map<string, Promise<ReceiptVerdict>>()

const bytesOf = ({ receipt, collateral, birth }: ReceiptEvidence) =>
  [receipt, collateral, birth?.receipt, birth?.collateral].map((bytes) => bytes && cidOf(bytes)).join(' ')

/** Under the reader's own anchors: `passed`, or the code of the refusal. */
async function outcomeOf(read: () => unknown, isBirth = false): Promise<string> {
  try {
    const parsed = parseBundle(read())
    const failure = await firstFailure(parsed.evidence, { anchors, lists, ...(!isBirth && { births }) })
    if (failure === null) expect(bytesOf(parsed.evidence)).toBe(bytesOf(evidence))
    return codeFor(failure)
  } catch (error) {
    if (error instanceof ServiceError) return error.code
    if (error instanceof SyntaxError) return 'parse_failed' // as the CLI's reader says
    throw error
  }
}

test('a bundle changed in one place passes only where the verdict does not rest on it', async () => {
  const passed = new Set<string>()
  const mutants = leafPaths(bundle)
    .filter(([first]) => first !== 'trustAnchors') // the reader has anchors of their own
    .flatMap((path) => mutantsOf(bundle, path))
  expect(mutants.length).toBeGreaterThan(440)
  for (const { path, value } of mutants) {
    const outcome = await outcomeOf(() => value, path.startsWith('birth.'))
    if (outcome === 'passed') passed.add(path.replace(/^trustAnchors\..*/, 'trustAnchors'))
    else expect(outcome).toMatch(/^(?!stray)/)
  }
  expect([...passed].sort()).toEqual(notPartOfTheVerdict.filter((path) => !hasOneSpelling(path)))
})

test('a bundle with any other character in it passes with the same evidence, or is refused with a code', async () => {
  const random = createRandom(24)
  for (let count = 0; count < 400; count++) {
    const at = random.below(text.length)
    const other = String.fromCharCode(32 + random.below(95))
    const changed = text.slice(0, at) + other + text.slice(at + 1)
    const isBirth = at > text.indexOf('"birth"') && at < text.indexOf('"releases"')
    const outcome = await outcomeOf(() => JSON.parse(changed) as unknown, isBirth)
    expect(outcome).toMatch(/^(?!stray)/)
  }
})

/** Base64 of a multiple of three bytes has no spare bits, so no other spelling. */
function hasOneSpelling(path: string): boolean {
  const { receipt, collateral, birth, releases } = evidence
  const ofBirth = { 'birth.receipt': birth.receipt, 'birth.collateral': birth.collateral }
  const members = { receipt, collateral, ...ofBirth, 'releases.lists.0': releases?.lists[0] }
  const bytes = (members as Record<string, Uint8Array>)[path]
  return bytes !== undefined && bytes.length % 3 === 0
}

/**
 * Where the events are is only claimed by the person who saved the bundle, as the CLI says. An event or a list may be there
 * twice, and base64 has several spellings of the same bytes.
 */
const notPartOfTheVerdict = [
  'birth.cid',
  'birth.collateral',
  'birth.events',
  'birth.events.0.blockNumber',
  'birth.events.0.blockTimestamp',
  'birth.events.0.confirmations',
  'birth.events.0.transactionHash',
  'birth.receipt',
  'collateral',
  'events',
  'events.0.blockNumber',
  'events.0.blockTimestamp',
  'events.0.confirmations',
  'events.0.transactionHash',
  'receipt',
  'releases.announcements.0.blockNumber',
  'releases.announcements.0.logIndex',
  'releases.lists',
  'releases.lists.0',
]
