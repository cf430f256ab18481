import fc from 'fast-check'
import { expect, test } from 'vitest'
import { canonicalJson, toHex, type Json } from '../../bytes/index.js'
import { isErrorCode, ServiceError } from '../../errors/index.js'
import { parseReceipt } from '../schema/parseReceipt.js'
import { mintReceipt } from '../testing/mintReceipt.js'
import { createSimulatedWorld } from '../testing/simulatedWorld.js'
import { parseTrustAnchors } from '../anchors/TrustAnchors.js'
import type { ReceiptVerdict } from './types.js'
import { verifyReceipt } from './verifyReceipt.js'

const { evidence, anchors, receipt } = mintReceipt(await createSimulatedWorld())
// Birth and lists are the same every time: they are verified once.
const options = { anchors, births: new Map<string, Promise<ReceiptVerdict>>(), lists: new Map() }

/** The code of what was thrown; anything but a ServiceError is a stray exception. */
function codeOf(work: () => unknown): string {
  try {
    work()
    return 'accepted'
  } catch (error) {
    return error instanceof ServiceError ? error.code : `stray ${String(error)}`
  }
}

/** Canonical where that is possible, so that the later steps are reached. */
function printed(value: Json): string {
  try {
    return canonicalJson(value)
  } catch {
    return JSON.stringify(value)
  }
}

test('parseReceipt answers any bytes with a code', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 2000 }), (bytes) => {
      expect(isErrorCode(codeOf(() => parseReceipt(bytes)))).toBe(true)
    }),
    { numRuns: 2000 },
  )
  fc.assert(
    fc.property(fc.json({ maxDepth: 6 }), (text) => {
      expect(isErrorCode(codeOf(() => parseReceipt(new TextEncoder().encode(text))))).toBe(true)
    }),
    { numRuns: 2000 },
  )
})

test('parseTrustAnchors answers any value with a code', () => {
  const member = fc.constantFrom(...Object.keys(anchors))
  fc.assert(
    fc.property(member, fc.anything(), (name, value) => {
      const code = codeOf(() => parseTrustAnchors({ ...anchors, [name]: value }))
      expect(code === 'accepted' || code === 'trust_anchors_invalid' ? 'fine' : code).toBe('fine')
    }),
    { numRuns: 2000 },
  )
})

test('verifyReceipt never throws and never passes whatever a member holds', async () => {
  const paths = ['transaction', 'signer', 'coordinator', 'entropy', 'verification'].flatMap((part) =>
    Object.keys((receipt as unknown as Record<string, object>)[part] as object).map((name) => [part, name] as const),
  )
  const hex = fc.uint8Array({ maxLength: 70 }).map(toHex)
  const value = fc.oneof(fc.jsonValue({ maxDepth: 2 }), fc.integer(), hex) as fc.Arbitrary<Json>
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...paths), value, async ([part, name], changed) => {
      const copy = structuredClone(receipt) as unknown as Record<string, Record<string, Json>>
      fc.pre(JSON.stringify(copy[part]![name]) !== JSON.stringify(changed))
      copy[part]![name] = changed
      const bytes = new TextEncoder().encode(printed(copy))
      const verdict = await verifyReceipt({ ...evidence, receipt: bytes }, options)
      expect(verdict.verified).toBe(false)
      expect(verdict.steps.some((step) => step.code === 'internal_error')).toBe(false)
    }),
    { numRuns: 300 },
  )
})

test('verifyReceipt refuses hostile collateral with a code', async () => {
  const text = new TextDecoder().decode(evidence.collateral)
  const good = JSON.parse(text) as Record<string, Json>
  const value = fc.oneof(fc.jsonValue({ maxDepth: 2 }), fc.string()) as fc.Arbitrary<Json>
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...Object.keys(good)), value, async (name, changed) => {
      fc.pre(JSON.stringify(good[name]) !== JSON.stringify(changed))
      const collateral = new TextEncoder().encode(JSON.stringify({ ...good, [name]: changed }))
      const { verified, steps } = await verifyReceipt({ ...evidence, collateral }, options)
      expect(verified).toBe(false)
      expect(steps.filter((step) => step.status === 'fail').every((step) => isErrorCode(step.code))).toBe(true)
      expect(steps.some((step) => step.code === 'internal_error')).toBe(false)
    }),
    { numRuns: 200 },
  )
  expect(text).toBe(canonicalJson(good)) // the collateral that was changed is the one that verifies
})
