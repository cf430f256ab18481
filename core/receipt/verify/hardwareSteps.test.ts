import { describe, expect, test } from 'vitest'
import { mintReceipt } from '../testing/mintReceipt.js'
import { releasesOf, simulatedList } from '../testing/simulatedReleases.js'
import { createSimulatedWorld } from '../testing/simulatedWorld.js'
import type { ReceiptVerdict, VerifyReceiptOptions } from './types.js'
import { verifyReceipt } from './verifyReceipt.js'

const { evidence, anchors } = mintReceipt(await createSimulatedWorld())
const verify = (changes: Partial<typeof evidence> = {}, options: Partial<VerifyReceiptOptions> = {}) =>
  verifyReceipt({ ...evidence, ...changes }, { anchors, ...options })
const failures = ({ steps }: ReceiptVerdict) =>
  Object.fromEntries(steps.filter(({ status }) => status === 'fail').map(({ step, code }) => [step, code]))

describe('policy', () => {
  test('an empty list of builds refuses every build', async () => {
    const unknown = { measurements: 'measurement_unknown', birth: 'birth_invalid' }
    for (const none of [{ enclaves: [] }, { coordinators: [] }]) {
      const releases = releasesOf(simulatedList(1, none))
      expect(failures(await verify({ releases }))).toEqual(unknown)
    }
  })

  test('platforms may be pinned', async () => {
    const pinned = { ...anchors, enclave: { ppids: [`0x${'00'.repeat(16)}` as const] } }
    const elsewhere = { measurements: 'platform_not_allowed', birth: 'birth_invalid' }
    expect(failures(await verify({}, { anchors: pinned }))).toEqual(elsewhere)
  })

  test('collateral must be the receipt’s own, and JSON', async () => {
    const text = new TextEncoder().encode('not json')
    expect(failures(await verify({ collateral: text }))).toMatchObject({
      collateral_cid: 'cid_mismatch',
      quote: 'parse_failed',
    })
    const large = new Uint8Array(1024 * 1024 + 1)
    expect(failures(await verify({ collateral: large }))).toMatchObject({
      collateral_cid: 'parse_failed',
      quote: 'parse_failed',
    })
  })
})
