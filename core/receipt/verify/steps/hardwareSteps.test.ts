import { describe, expect, test } from 'vitest'
import { fromHex } from '../../../bytes/index.js'
import { mintReceipt } from '../../testing/mintReceipt.js'
import { releasesOf, simulatedList } from '../../testing/simulatedReleases.js'
import { createSimulatedWorld, createSnp, signedAt } from '../../testing/simulatedWorld.js'
import type { ReceiptVerdict, VerifyReceiptOptions } from '../types.js'
import { verifyReceipt } from '../verifyReceipt.js'

const world = await createSimulatedWorld()
const { evidence, anchors } = mintReceipt(world)
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

describe('AMD’s list of revoked certificates', () => {
  const withLists = async (...lists: `0x${string}`[]) =>
    failures(await verify({}, { now: signedAt + 1000, amdCrls: lists.map((list) => fromHex(list)) }))
  const revoked = { coordinator_report: 'vek_revoked', birth: 'birth_invalid' }

  test('leaves a chain alone that it does not name', async () => {
    expect(await withLists(world.snp.crl)).toEqual({})
  })

  test('refuses the coordinator’s chain, of signature and birth, whatever other lists say', async () => {
    const revoking = await world.snp.revoking([2])
    expect(await withLists(revoking)).toMatchObject(revoked)
    expect(await withLists(world.snp.crl, revoking)).toMatchObject(revoked)
    expect(await withLists(revoking, world.snp.crl)).toMatchObject(revoked)
  })

  test('counts only when its root signed it and it is in force: otherwise nothing was checked', async () => {
    const other = await createSnp(signedAt, [`0x${'18'.repeat(32)}`, `0x${'19'.repeat(32)}`])
    expect(await withLists(other.crl)).toMatchObject({ coordinator_report: 'crl_invalid' })
    expect(await withLists(other.crl, world.snp.crl)).toEqual({})
    expect(await withLists()).toMatchObject({ coordinator_report: 'crl_invalid' })
    const late = { now: signedAt + 400 * 86_400, amdCrls: [fromHex(world.snp.crl)] }
    expect(failures(await verify({}, late))).toMatchObject({ coordinator_report: 'crl_expired' })
  })
})
