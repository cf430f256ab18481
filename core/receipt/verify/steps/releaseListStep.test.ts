import { describe, expect, test } from 'vitest'
import { mintReceipt } from '../../testing/mintReceipt.js'
import { announcementOf, listFile, releasesOf, simulatedList, withdrawalOf } from '../../testing/simulatedReleases.js'
import { createSimulatedWorld } from '../../testing/simulatedWorld.js'
import { verifyReceipt, type ReceiptEvidence } from '../index.js'
import type { VerifyReceiptOptions } from '../types.js'

const { evidence, anchors } = mintReceipt(await createSimulatedWorld()) // published in block 12
const event = evidence.events[0]!
const verify = (changes: Partial<ReceiptEvidence>, options: Partial<VerifyReceiptOptions> = {}) =>
  verifyReceipt({ ...evidence, ...changes }, { anchors, ...options, skip: [...(options.skip ?? []), 'birth'] })
async function failures(changes: Partial<ReceiptEvidence>, options?: Partial<VerifyReceiptOptions>) {
  const { steps } = await verify(changes, options)
  return Object.fromEntries(steps.filter(({ status }) => status === 'fail').map(({ step, code }) => [step, code]))
}

const other = simulatedList().enclaves.map((build) => ({ ...build, mrTd: `0x${'ee'.repeat(48)}` as const }))
const listWithout = (version: number) => simulatedList(version, { enclaves: other })
const file = listFile(simulatedList())
const lists = [file, listFile(listWithout(2))]
const announcedIn = (block: number) => ({
  lists,
  announcements: [announcementOf(lists[0]!, 1, 1), announcementOf(lists[1]!, 2, block)],
})

describe('the list of builds in force at the receipt’s block', () => {
  test('is named with version, hash and block', async () => {
    const { steps } = await verify({}, { explain: true })
    const step = steps.find((one) => one.step === 'release_list')
    expect(step?.detail).toMatch(/^list 1, SHA-256 0x[0-9a-f]{64}, announced by 0x(f1){20}, was in force from block 1 /)
    expect(step?.hashed).toMatchObject([{ what: 'list 1 of builds', algorithm: 'sha-256' }])
  })

  test('refuses a build that was left out before the block, and accepts one that was left out after', async () => {
    expect(await failures({ releases: announcedIn(12) })).toEqual({ measurements: 'build_withdrawn' })
    expect(await failures({ releases: announcedIn(11) })).toEqual({ measurements: 'build_withdrawn' })
    expect(await failures({ releases: announcedIn(13) })).toEqual({})
  })

  test('refuses a build whose list was withdrawn before the block, and accepts one withdrawn after', async () => {
    const withdrawnIn = (block: number) => {
      const { announcements } = releasesOf(listWithout(1), simulatedList(2))
      const given = [listFile(listWithout(1)), listFile(simulatedList(2))]
      return { announcements: [...announcements, withdrawalOf(2, block)], lists: given }
    }
    expect(await failures({ releases: withdrawnIn(12) })).toEqual({ measurements: 'build_withdrawn' })
    expect(await failures({ releases: withdrawnIn(13) })).toEqual({})
  })

  test('says measurement_unknown for a build that no list ever had', async () => {
    expect(await failures({ releases: releasesOf(listWithout(1)) })).toEqual({ measurements: 'measurement_unknown' })
    const noLists = { ...announcedIn(12), lists: [lists[1]!] } // the older list could not be fetched
    expect(await failures({ releases: noLists })).toEqual({ measurements: 'measurement_unknown' })
  })

  test('applies to the coordinator’s build too', async () => {
    const releases = releasesOf(simulatedList(1), simulatedList(2, { coordinators: [] }))
    expect(await failures({ releases })).toEqual({ measurements: 'build_withdrawn' })
  })

  test('is the newest one for a receipt without an event, so a withdrawn build gains nothing by hiding it', async () => {
    const missing = { onchain_event: 'event_missing' }
    expect(await failures({ events: [] })).toEqual(missing)
    expect(await failures({ events: [], releases: announcedIn(13) })).toEqual({
      ...missing,
      measurements: 'build_withdrawn',
    })
    const { steps } = await verify({ events: [] })
    expect(steps.find(({ step }) => step === 'release_list')?.detail).toMatch(/is the newest; no event/)
  })

  test('counts from the first event of a receipt that was published twice', async () => {
    const again = { ...event, blockNumber: 40, transactionHash: `0x${'0e'.repeat(32)}` as const }
    expect(await failures({ events: [again, event], releases: announcedIn(20) })).toEqual({})
  })

  test('must not have expired when the receipt was published', async () => {
    const until = (seconds: number) =>
      releasesOf(simulatedList(1, { expiresAt: new Date(seconds * 1000).toISOString().replace('.000', '') }))
    expect(await failures({ releases: until(event.blockTimestamp + 1) })).toEqual({})
    expect(await failures({ releases: until(event.blockTimestamp) })).toEqual({
      release_list: 'release_expired',
      measurements: 'step_not_run',
    })
  })

  test.each<[string, Partial<ReceiptEvidence>, string]>([
    ['no announcement was read', { releases: undefined as never }, 'evidence_missing'],
    ['none was made', { releases: { announcements: [], lists: [file] } }, 'release_missing'],
    ['the list could not be fetched', { releases: { ...evidence.releases, lists: [] } }, 'evidence_missing'],
    ['another key signed it', { releases: { announcements: [announcementOf(listFile(simulatedList(), 8), 1, 1)], lists: [listFile(simulatedList(), 8)] } }, 'release_signature'],
  ])('is missing when %s', async (_, changes, code) => {
    expect(await failures(changes)).toEqual({ release_list: code, measurements: 'step_not_run' })
  }) // prettier-ignore

  test('is missing where the anchors name no contract of the chain', async () => {
    const none = { ...anchors, releases: { ...anchors.releases, contracts: [] } }
    const expected = { release_list: 'release_missing', measurements: 'step_not_run' }
    expect(await failures({}, { anchors: none })).toEqual(expected)
  })

  test('can be skipped, but then no build is known', async () => {
    expect(await failures({}, { skip: ['release_list'] })).toEqual({ measurements: 'step_not_run' })
  })

  test('is for a birth the list in force at its own block', async () => {
    const birthOnly = async (releases: NonNullable<ReceiptEvidence['releases']>) => {
      const { steps } = await verifyReceipt({ ...evidence, releases }, { anchors })
      return steps
        .filter(({ status }) => status === 'fail')
        .map(({ step, code, facts }) => [step, code, facts?.['code']])
    }
    // The birth is in block 5, the signature in block 12.
    expect(await birthOnly(announcedIn(13))).toEqual([])
    expect(await birthOnly(announcedIn(6))).toEqual([['measurements', 'build_withdrawn', undefined]])
    const later = [listFile(listWithout(1)), listFile(simulatedList(2))] as const
    const announcements = [announcementOf(later[0], 1, 1), announcementOf(later[1], 2, 6)]
    expect(await birthOnly({ lists: [...later], announcements })).toEqual([
      ['birth', 'birth_invalid', 'measurement_unknown'],
    ])
  })
})
