import { beforeAll, describe, expect, test } from 'vitest'
import { createRandom } from '../../../tests/createRandom.js'
import { canonicalJson, cidOf, type Json } from '../../bytes/index.js'
import { transactionHash } from '../../transaction/index.js'
import type { AttestationReceiptV1 } from '../AnyReceipt.js'
import { eventOf } from '../testing/evidenceOf.js'
import { codeFor, firstFailure } from '../testing/firstFailure.js'
import { mintReceipt, type Minted } from '../testing/mintReceipt.js'
import { leafPaths, mutantsOf, protectedByTheCidAlone, type Mutant, type Path } from '../testing/mutants.js'
import { createSampleOwner } from '../testing/sampleOwner.js'
import { createSimulatedWorld } from '../testing/simulatedWorld.js'
import type { ReceiptEvidence, ReceiptVerdict } from './types.js'
import { verifyReceipt } from './verifyReceipt.js'

let good: Minted
let leaves: Path[]
beforeAll(async () => {
  good = mintReceipt(await createSimulatedWorld(), { owner: createSampleOwner() })
  leaves = leafPaths(good.receipt as unknown as Json)
})

const json = () => good.receipt as unknown as Json
const encode = (text: string) => new TextEncoder().encode(text)
// Every mutant names the same birth or fails, and brings the same lists: they are verified once.
const shared = { births: new Map<string, Promise<ReceiptVerdict>>(), lists: new Map() }
const verify = (evidence: Partial<ReceiptEvidence>) =>
  verifyReceipt({ ...good.evidence, ...evidence }, { anchors: good.anchors, ...shared })
const failureOf = (receipt: Uint8Array, evidence: Partial<ReceiptEvidence> = {}) =>
  firstFailure({ ...good.evidence, ...evidence, receipt }, { anchors: good.anchors, ...shared })

describe('of a receipt changed in one place', () => {
  test('no mutant passes under the CID and event of the original, and each is refused with a code', async () => {
    const mutants = leaves.flatMap((path) => mutantsOf(json(), path))
    expect(mutants.length).toBeGreaterThan(900)
    const codes = new Set<string>()
    for (const { value } of mutants) codes.add(codeFor(await failureOf(encode(canonicalJson(value)))))
    expect([...codes].sort()).toEqual(['cid_mismatch', 'receipt_invalid'])
  })

  test('even one that was published itself passes only where nothing but the CID protects a member', async () => {
    const passed = new Set<string>()
    for (const mutant of leaves.flatMap((path) => mutantsOf(json(), path))) {
      const receipt = encode(canonicalJson(mutant.value))
      const cid = cidOf(receipt)
      const code = codeFor(await failureOf(receipt, { cid, events: [eventFor(mutant, cid)] }))
      if (code === 'passed') passed.add(mutant.path)
      else expect(code, `${mutant.path} ${mutant.what}`).toMatch(/^(?!stray)/)
    }
    expect([...passed].sort()).toEqual(protectedByTheCidAlone)
  })

  test('no bit of the bytes can be flipped', async () => {
    const { receipt } = good.evidence
    const random = createRandom(20261115)
    const codes = new Set<string>()
    for (let count = 0; count < 1500; count++) {
      const bit = random.below(receipt.length * 8)
      const flipped = receipt.slice()
      flipped[bit >> 3] = (flipped[bit >> 3] as number) ^ (1 << (bit & 7))
      codes.add(codeFor(await failureOf(flipped)))
    }
    expect([...codes].sort()).toEqual(['cid_mismatch', 'parse_failed', 'receipt_invalid', 'receipt_not_canonical'])
  })
})

/** What has no hash or address has no event of its own. */
function eventFor({ value }: Mutant, cid: string) {
  try {
    return eventOf(value as never, cid)
  } catch {
    return eventOf(good.receipt, cid)
  }
}

test('no bit of the signature can be flipped, even with hash, CID and event to match', async () => {
  const { transaction } = good.receipt
  for (let bit = 0; bit < 65 * 8; bit += 3) {
    const at = 2 + (bit >> 2)
    const digit = (Number.parseInt(transaction.signature[at] as string, 16) ^ (1 << (bit & 3))).toString(16)
    const signature = `${transaction.signature.slice(0, at)}${digit}${transaction.signature.slice(at + 1)}` as const
    const receipt = structuredClone(good.receipt)
    receipt.transaction.signature = signature as `0x${string}`
    try {
      receipt.transaction.txHash = transactionHash(transaction, signature)
    } catch {
      // Not even a signature's form: the old hash stays.
    }
    const bytes = encode(canonicalJson(receipt))
    const cid = cidOf(bytes)
    const code = codeFor(await failureOf(bytes, { cid, events: [eventOf(receipt, cid)] }))
    expect(code, `bit ${bit}`).toMatch(/^(?!stray|passed)/)
  }
})

test('the other signature of the same message, with high s, is refused', async () => {
  const order = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n
  const receipt: AttestationReceiptV1 = structuredClone(good.receipt)
  const { signature } = receipt.transaction
  const s = (order - BigInt(`0x${signature.slice(66, 130)}`)).toString(16).padStart(64, '0')
  const v = signature.endsWith('1b') ? '1c' : '1b'
  receipt.transaction.signature = `${signature.slice(0, 66)}${s}${v}` as `0x${string}`
  const bytes = encode(canonicalJson(receipt))
  const verdict = await verify({ receipt: bytes, cid: cidOf(bytes) })
  expect(verdict.steps.find((step) => step.step === 'signature')).toMatchObject({ code: 'signature_invalid' })
})
