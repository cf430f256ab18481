import { expect, test } from 'vitest'
import { mintReceipt } from '../testing/mintReceipt.js'
import { createSimulatedWorld } from '../testing/simulatedWorld.js'
import { verifyReceipt } from './verifyReceipt.js'

const { evidence, anchors } = mintReceipt(await createSimulatedWorld())

test('a number of confirmations that is no number is not enough', async () => {
  const events = evidence.events.map((event) => ({ ...event, confirmations: NaN }))
  const { failed } = await verifyReceipt({ ...evidence, events }, { anchors, minConfirmations: 1 })
  expect(failed).toEqual(['onchain_event'])
})

test('evidence that is missing is told from evidence that is wrong', async () => {
  const { collateral: _, ...without } = evidence
  const gone = await verifyReceipt({ ...without, missing: { collateral: 'gateway.example answered 504' } }, { anchors })
  expect(gone.failed).toEqual(['collateral_cid', 'quote', 'report_data', 'measurements'])
  expect(gone.unchecked).toEqual(gone.failed)
  expect(gone.steps.find(({ step }) => step === 'quote')?.detail).toMatch(/fetched: gateway\.example answered 504$/)
  const wrong = await verifyReceipt({ ...without, events: [] }, { anchors })
  expect(wrong.unchecked).not.toContain('onchain_event')
  expect(wrong.failed).toContain('onchain_event')
})
