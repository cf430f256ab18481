import { describe, expect, test } from 'vitest'
import { cidOf } from '../../bytes/index.js'
import { receiptBytes } from '../buildReceipt.js'
import { eventOf } from '../testing/evidenceOf.js'
import { mintReceipt, type Minted } from '../testing/mintReceipt.js'
import { createSimulatedWorld } from '../testing/simulatedWorld.js'
import type { ReceiptVerdict } from './types.js'
import { verifyReceipt } from './verifyReceipt.js'

const world = await createSimulatedWorld()
const { evidence, anchors, receipt } = mintReceipt(world)
const failures = ({ steps }: ReceiptVerdict) =>
  Object.fromEntries(steps.filter(({ status }) => status === 'fail').map(({ step, code }) => [step, code]))

/** As if we ourselves had published the changed receipt. */
function verifyPublished(change: (receipt: Minted['receipt']) => void) {
  const changed = structuredClone(receipt)
  change(changed)
  const bytes = receiptBytes(changed)
  const cid = cidOf(bytes)
  return verifyReceipt({ ...evidence, receipt: bytes, cid, events: [eventOf(changed, cid)] }, { anchors })
}

describe('the signing policy', () => {
  const { policy } = receipt.signer
  const bound = async (changes: Partial<typeof policy>) =>
    failures(await verifyReceipt(mintReceipt(world, { policy: { ...policy, ...changes } }).evidence, { anchors }))

  test.each<[string, Partial<typeof policy>, string]>([
    ['another chain', { chainIds: [1] }, 'chain_not_allowed'],
    ['a lower price of gas', { maxFeePerGas: '1' }, 'fee_out_of_range'],
    ['a lower fee', { maxFee: '1' }, 'fee_out_of_range'],
    ['a lower value', { maxValue: '1' }, 'value_out_of_range'],
    ['better entropy', { entropy: { minimum: 'operator-asserted', maxAgeSeconds: 600 } }, 'entropy_untrusted'],
    ['younger entropy', { entropy: { minimum: 'simulated', maxAgeSeconds: 1 } }, 'entropy_stale'],
  ])('that asks for %s shows that the enclave broke it, although the quote binds it', async (_, changes, code) => {
    expect(await bound(changes)).toEqual({ policy: code })
  })

  test('that a receipt shows must be the one that the quote binds, with every bound on it', async () => {
    for (const laxer of [{ chainIds: [1, 31337, 11155111, 5] }, { maxFee: '9'.repeat(30) }]) {
      const verdict = await verifyPublished((r) => Object.assign(r.signer.policy, laxer))
      expect(verdict.verified).toBe(false)
    }
    expect(failures(await verifyPublished((r) => (r.signer.policy.maxFee = '9'.repeat(30))))).toEqual({
      report_data: 'binding_mismatch',
    })
  })
})
