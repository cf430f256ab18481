import { describe, expect, test } from 'vitest'
import { canonicalJson, cidOf, type Json } from '../../bytes/index.js'
import { permit } from '../../message/testing/typedData.js'
import type { AnyReceipt } from '../AnyReceipt.js'
import { eventOf } from '../testing/evidenceOf.js'
import { codeFor, firstFailure } from '../testing/firstFailure.js'
import { mintBirth } from '../testing/mintBirth.js'
import { mintMessage } from '../testing/mintMessage.js'
import { leafPaths, mutantsOf, protectedByTheCidAlone, type Mutant } from '../testing/mutants.js'
import { createSampleOwner } from '../testing/sampleOwner.js'
import { anchorsOf, createSimulatedWorld } from '../testing/simulatedWorld.js'
import type { ReceiptEvidence, ReceiptVerdict } from './types.js'

const world = await createSimulatedWorld()
const owner = createSampleOwner()
const { birth, evidence: born } = mintBirth(world, { owner })
const { receipt: message, evidence: signed } = mintMessage(world, { scheme: 'eip712', typedData: permit }, { owner })
const encode = (value: Json) => new TextEncoder().encode(canonicalJson(value))

describe.each<[string, AnyReceipt, ReceiptEvidence]>([
  ['birth', birth, born],
  ['message', message, signed],
])('of the receipt of a %s, changed in one place,', (_, good, evidence) => {
  const json = good as unknown as Json
  const mutants = leafPaths(json).flatMap((path) => mutantsOf(json, path))
  // Every mutant names the same birth or fails, and brings the same lists: they are verified once.
  const births = new Map<string, Promise<ReceiptVerdict>>()
  const options = { anchors: anchorsOf(world), lists: new Map(), births }

  test('no mutant passes under the CID and event of the original, and each is refused with a code', async () => {
    expect(mutants.length).toBeGreaterThan(700)
    const codes = new Set<string>()
    for (const { value } of mutants) {
      codes.add(codeFor(await firstFailure({ ...evidence, receipt: encode(value) }, options)))
    }
    expect([...codes].sort()).toEqual(['cid_mismatch', 'receipt_invalid'])
  })

  test('even one that was published itself passes only where nothing but the CID protects a member', async () => {
    const passed = new Set<string>()
    for (const mutant of mutants) {
      const receipt = encode(mutant.value)
      const cid = cidOf(receipt)
      const published = { ...evidence, receipt, cid, events: [eventFor(mutant, cid)] }
      const code = codeFor(await firstFailure(published, options))
      if (code === 'passed') passed.add(mutant.path)
      else expect(code, `${mutant.path} ${mutant.what}`).toMatch(/^(?!stray)/)
    }
    expect([...passed].sort()).toEqual(protectedByTheCidAlone)
  })

  /** What has no address has no event of its own. */
  function eventFor({ value }: Mutant, cid: string) {
    try {
      return eventOf(value as never, cid)
    } catch {
      return eventOf(good, cid)
    }
  }
})
