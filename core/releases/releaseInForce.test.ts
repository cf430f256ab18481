import { describe, expect, test } from 'vitest'
import { announcementOf, listFile, releasesOf, releaseTrust, simulatedList, withdrawalOf } from '../receipt/testing/simulatedReleases.js' // prettier-ignore
import { releaseInForce, type ReleaseAnnouncement, type ReleaseEvidence } from './index.js'

const chainId = 31337
const lists = [1, 2, 3].map((version) => simulatedList(version))
const files = lists.map((list) => listFile(list))
const [first, second, third] = files as [Uint8Array, Uint8Array, Uint8Array]
const good = releasesOf(...lists) // announced in blocks 1, 2, 3
const at = (evidence: ReleaseEvidence, blockNumber: number, trust = releaseTrust) =>
  releaseInForce(evidence, trust, { chainId, blockNumber })
const refused = (code: string) => expect.objectContaining({ code })
const withEvents = (...more: ReleaseAnnouncement[]) => ({ ...good, announcements: [...good.announcements, ...more] })
const announced = (...announcements: ReleaseAnnouncement[]) => ({ announcements, lists: files })

describe('the list in force', () => {
  test.each([
    [1, 1],
    [2, 2],
    [3, 3],
    [1000, 3],
  ])('at block %i is version %i', (block, version) => {
    const found = at(good, block)
    expect(found).toMatchObject({ release: { version }, fromBlock: version })
    expect(found.others.map((list) => list.version)).toEqual([2, 1].slice(3 - version))
  })

  test('is none before the first was announced', () => {
    expect(() => at(good, 0)).toThrow(refused('release_missing'))
  })

  test('is the highest that is left once others are withdrawn, from that block on and not before', () => {
    const evidence = withEvents(withdrawalOf(3, 10), withdrawalOf(1, 20), withdrawalOf(2, 30))
    expect(at(evidence, 9)).toMatchObject({ release: { version: 3 }, fromBlock: 3 })
    expect(at(evidence, 10)).toMatchObject({ release: { version: 2 }, fromBlock: 10 })
    expect(at(evidence, 29)).toMatchObject({ release: { version: 2 }, fromBlock: 10 })
    expect(() => at(evidence, 30)).toThrow(refused('release_missing'))
  })

  test('does not depend on the order in which a node or a bundle names things', () => {
    const shuffled = { announcements: [...good.announcements].reverse(), lists: [...good.lists].reverse() }
    expect(at(shuffled, 3)).toEqual(at(good, 3))
  })

  test('counts only where the anchors expect it: contract, chain and key', () => {
    const elsewhere: ReleaseAnnouncement = { ...announcementOf(third, 4, 4), contract: `0x${'01'.repeat(20)}` }
    expect(at(withEvents(elsewhere, { ...withdrawalOf(3, 4), chainId: 1 }), 9)).toEqual(at(good, 9))
    expect(() => at(good, 9, { ...releaseTrust, contracts: [] })).toThrow(refused('release_missing'))
    const otherKey = { ...releaseTrust, publicKey: `0x${'11'.repeat(32)}` as const }
    expect(() => at(good, 9, otherKey)).toThrow(refused('release_signature'))
    expect(() => releaseInForce(good, releaseTrust, { chainId: 1, blockNumber: 9 })).toThrow(refused('release_missing'))
  })

  test('may be announced by a second contract too, if it says the same', () => {
    const contract = `0x${'f2'.repeat(20)}` as const
    const trust = { ...releaseTrust, contracts: [...releaseTrust.contracts, { chainId, address: contract }] }
    const moved = [first, second, third].map((file, index) => ({
      ...announcementOf(file, index + 1, 10 + index),
      contract,
    }))
    expect(at(withEvents(...moved), 20, trust)).toEqual(at(good, 20))
    const fourth = { ...announcementOf(listFile(simulatedList(4)), 4, 14), contract }
    const next = {
      announcements: [...good.announcements, ...moved, fourth],
      lists: [...files, listFile(simulatedList(4))],
    }
    expect(at(next, 20, trust)).toMatchObject({ release: { version: 4 }, contract })
  })
})

describe('what is refused', () => {
  const otherSecond = listFile(simulatedList(2, { issuedAt: '2026-12-01T00:00:00Z' }))
  const foreign = listFile(simulatedList(1), 8)
  const [one, two] = [announcementOf(first, 1, 1), announcementOf(second, 2, 2)]
  test.each<[string, string, ReleaseEvidence]>([
    ['two announcements of one version', 'release_conflict', announced(one, two, announcementOf(otherSecond, 2, 3))],
    ['two signed lists of one version', 'release_conflict', { ...announced(one, two), lists: [...files, otherSecond] }],
    ['a list that says a higher version than its announcement', 'release_conflict', announced(announcementOf(second, 1, 1))],
    ['a version that goes back', 'release_rollback', announced(one, two, announcementOf(first, 1, 3))],
    ['an old list announced again', 'release_rollback', announced(one, announcementOf(first, 2, 2))],
    ['a version that was left out', 'evidence_missing', announced(one, announcementOf(third, 3, 3))],
    ['a list whose bytes are missing', 'evidence_missing', { ...announced(one, two), lists: [first] }],
    ['a list whose bytes were changed', 'evidence_missing', { ...announced(one), lists: [first.map((byte, i) => (i === 9 ? byte ^ 1 : byte))] }],
    ['another hash than the list’s', 'evidence_missing', announced({ ...one, sha256: `0x${'00'.repeat(32)}` } as typeof one)],
    ['the CID of something else', 'cid_mismatch', announced({ ...one, cid: (two as { cid: string }).cid } as typeof one)],
    ['a foreign signature', 'release_signature', { announcements: [announcementOf(foreign, 1, 1)], lists: [foreign] }],
    ['bytes that are no list', 'release_invalid', { announcements: [announcementOf(Uint8Array.of(1), 1, 1)], lists: [Uint8Array.of(1)] }],
  ])('%s: %s', (_, code, evidence) => {
    expect(() => at(evidence, 5)).toThrow(refused(code))
  }) // prettier-ignore
})
