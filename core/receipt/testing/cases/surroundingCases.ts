import { tdxSerials } from '../../../simulation/testing/index.js'
import { cidOf, toHex } from '../../../bytes/index.js'
import { bootLog, simulatedApp } from '../../../simulation/index.js'
import type { MeasurementRelease } from '../../../measurements/index.js'
import { hexOfText } from '../../../message/testing/texts.js'
import { permit } from '../../../message/testing/typedData.js'
import { vendorAnchors } from '../../anchors/vendorAnchors.js'
import type { PublishedEvent } from '../../verify/index.js'
import { republish } from '../evidenceOf.js'
import { mintBirth, type MintedBirth } from '../mintBirth.js'
import { mintMessage, type MintedMessage } from '../mintMessage.js'
import { mintReceipt, type Minted } from '../mintReceipt.js'
import { createSampleOwner } from '../sampleOwner.js'
import { announcementOf, listFile, releasesOf, simulatedList, withdrawalOf } from '../simulatedReleases.js'
import { anchorsOf, signedAt, type SimulatedWorld } from '../simulatedWorld.js'
import { caseOf, flip, rebornWith, republished, type Expected, type ReceiptCase } from './receiptCase.js'

const day = 86_400
const otherKey = toHex(Uint8Array.from([2, ...Array<number>(31).fill(0), 1]))

/** True receipts, and receipts that are judged by when they were published. */
export async function timeCases(world: SimulatedWorld, good: Minted): Promise<ReceiptCase[]> {
  const publishedAt = signedAt + 20 * day
  const collateralOf = (daysBefore: number, changes = {}) => world.collateralOf(publishedAt - daysBefore * day, changes)
  const assembled = (collateral: Uint8Array, at = publishedAt) => mintReceipt(world, { assembled: { at, collateral } })
  const inBlockOf = (blockTimestamp: number, minted = good): Minted => ({
    ...minted,
    evidence: { ...minted.evidence, events: minted.evidence.events.map((event) => ({ ...event, blockTimestamp })) },
  })
  const old = assembled(await collateralOf(8), publishedAt - 8 * day)
  const birth = mintBirth(world)
  return [
    caseOf('a good receipt', good, 'verified'),
    caseOf('a receipt that a passkey approved', mintReceipt(world, { owner: createSampleOwner() }), 'verified'),
    caseOf('a receipt with a v5 quote', mintReceipt(world, { quoteVersion: 5 }), 'verified'),
    caseOf('a birth', { evidence: birth.evidence, anchors: anchorsOf(world) }, 'verified'),
    caseOf('a receipt with another spec, which only its CID protects', republished(good, (r) => (r.spec = 'https://other.example')), 'verified'),
    caseOf('a receipt published five days late, with collateral of that week', inBlockOf(signedAt + 5 * day), 'verified'),
    caseOf('a receipt repaired after 20 days, with collateral of that day', assembled(await collateralOf(1)), 'verified'),
    caseOf('a receipt repaired after 20 days, with the old collateral', inBlockOf(signedAt + 15 * day), ['quote', 'collateral_outdated']),
    caseOf('a receipt published after its collateral expired', inBlockOf(signedAt + 30 * day), ['quote', 'collateral_expired']),
    caseOf('a receipt with collateral from after its block', assembled(await collateralOf(-1)), ['quote', 'collateral_not_yet_valid']),
    caseOf('a revoked key, dated back, with the collateral of its time', inBlockOf(publishedAt, old), ['quote', 'collateral_outdated']),
    caseOf('a revoked key, dated back, with the collateral of today', assembled(await collateralOf(1, { revokedByPckCa: [tdxSerials.pck] })), ['quote', 'cert_revoked']),
    caseOf('an event in a block from before the receipt', inBlockOf(signedAt - 61), ['times', 'times_inconsistent']),
    caseOf('a receipt from the future', good, ['times', 'times_inconsistent'], { now: signedAt - 100 }),
  ] // prettier-ignore
}

/** Receipts of signed messages, without their openings. */
export function messageCases(world: SimulatedWorld): ReceiptCase[] {
  const anchors = anchorsOf(world)
  const minted = mintMessage(world, { scheme: 'eip712', typedData: permit })
  const owner = createSampleOwner()
  const owned = mintMessage(world, { scheme: 'eip191', message: hexOfText('Hello') }, { owner })
  const changed = (change: (receipt: MintedMessage['receipt']) => unknown) => ({
    anchors,
    ...republish(minted, change),
  })
  return [
    caseOf('a receipt of typed data', { ...minted, anchors }, 'verified'),
    caseOf('a receipt of a message that a passkey approved', { ...owned, anchors }, 'verified'),
    caseOf('a message with another commitment', changed((r) => (r.message.commitment = flip(r.message.commitment))), ['report_data', 'binding_mismatch']),
    caseOf('a message with another scheme', changed((r) => (r.message.scheme = 'eip191')), ['statement', 'statement_invalid']),
    caseOf('a message with another wallet', changed((r) => (r.message.from = flip(r.message.from))), ['public_key', 'public_key_mismatch']),
  ] // prettier-ignore
}

/** The same receipt under other lists of builds. */
export function buildCases(world: SimulatedWorld, good: Minted): ReceiptCase[] {
  const list = simulatedList()
  const [build] = list.enclaves as [MeasurementRelease['enclaves'][number]]
  const without = { enclaves: [{ ...build, mrTd: `0x${'aa'.repeat(48)}` as const }] }
  const under = (name: string, releases: Minted['evidence']['releases'], expected: Expected, minted = good) =>
    caseOf(name, { ...minted, evidence: { ...minted.evidence, releases } }, expected)
  const [first, second, twin] = [listFile(list), listFile(simulatedList(2)), listFile(simulatedList(1, { issuedAt: '2026-11-02T00:00:00Z' }))] // prettier-ignore
  const foreign = mintReceipt(world, {
    runtimeEvents: bootLog({ ...simulatedApp, keyProvider: { name: 'kms', id: `0x${'c3'.repeat(91)}` } }),
  })
  return [
    under('a second list that has the build too', releasesOf(list, simulatedList(2)), 'verified'),
    under('a build that the second list withdrew', releasesOf(list, simulatedList(2, without)), ['measurements', 'build_withdrawn']),
    under('a build that no list has', releasesOf(simulatedList(1, without)), ['measurements', 'measurement_unknown']),
    under('no list of builds', { announcements: [], lists: [] }, ['release_list', 'release_missing']),
    under('a list that was withdrawn', { announcements: [announcementOf(first, 1, 1), withdrawalOf(1, 2)], lists: [first] }, ['release_list', 'release_missing']),
    under('a list that nobody has', { announcements: [announcementOf(first, 1, 1)], lists: [] }, ['release_list', 'evidence_missing']),
    under('a list signed by another key', { announcements: [announcementOf(listFile(list, 8), 1, 1)], lists: [listFile(list, 8)] }, ['release_list', 'release_signature']),
    under('two lists of one version', { announcements: [announcementOf(first, 1, 1), announcementOf(twin, 1, 2)], lists: [first, twin] }, ['release_list', 'release_conflict']),
    under('an old list announced as a new one', { announcements: [announcementOf(first, 1, 1), announcementOf(twin, 2, 2)], lists: [first, twin] }, ['release_list', 'release_rollback']),
    under('a first list that is hidden', { announcements: [announcementOf(second, 2, 2)], lists: [second] }, ['release_list', 'evidence_missing']),
    caseOf('a foreign key keeper', foreign, ['measurements', 'key_provider_mismatch']),
  ] // prettier-ignore
}

/** Births that do not fit, or do not verify. */
export function birthCases(world: SimulatedWorld, good: Minted): ReceiptCase[] {
  const born: MintedBirth = { birth: good.birth, evidence: good.evidence.birth }
  const owner = createSampleOwner()
  const signedBy = (name: string, birth: MintedBirth, expected: Expected) =>
    caseOf(name, mintReceipt(world, { birth }), expected)
  const second = rebornWith(born, (b) => (b.issuedAt = '2026-11-14T23:00:02.000Z'))
  const twice = {
    ...born,
    evidence: { ...born.evidence, events: [...born.evidence.events, ...second.evidence.events] },
  }
  const whole = caseOf('', good, 'verified')
  const { [born.evidence.cid]: _, ...unborn } = whole.blocks
  return [
    signedBy('a birth of another key', mintBirth(world, { publicKey: otherKey }), ['birth', 'birth_mismatch']),
    signedBy('a birth for another person', mintBirth(world, { subject: `0x${'77'.repeat(32)}` }), ['birth', 'birth_mismatch']),
    signedBy('a birth with owners that the signature does not know', mintBirth(world, { owner }), ['birth', 'birth_mismatch']),
    caseOf('a birth with other first owners', mintReceipt(world, { birth: mintBirth(world, { owner }), owner: createSampleOwner('08') }), ['birth', 'birth_mismatch']),
    signedBy('a birth after the signature', mintBirth(world, { createdAt: signedAt + 61 }), ['birth', 'birth_late']),
    signedBy('a birth that does not verify', rebornWith(born, (b) => (b.key.createdAt -= 1)), ['birth', 'birth_invalid']),
    signedBy('a birth without an event', { ...born, evidence: { ...born.evidence, events: [] } }, ['birth', 'birth_invalid']),
    signedBy('two births', twice, ['birth', 'birth_duplicate']),
    signedBy('a list of builds in place of the birth', { ...born, evidence: { ...born.evidence, receipt: good.evidence.releases.lists[0]!, cid: cidOf(good.evidence.releases.lists[0]!) } }, ['birth', 'birth_invalid']),
    { ...whole, name: 'a birth that no gateway has', blocks: unborn, expected: ['birth', 'birth_missing'] },
  ] // prettier-ignore
}

/** What gateway, node or reader make of a good receipt. */
export function readerCases(good: Minted): ReceiptCase[] {
  const { receipt, cid, collateral } = good.evidence
  const [event] = good.evidence.events as [PublishedEvent]
  const births = good.evidence.birth.events
  const whole = caseOf('', good, 'verified')
  const given = (name: string, expected: Expected, changes: Partial<ReceiptCase>) =>
    caseOf(name, good, expected, changes)
  const instead = (name: string, bytes: Uint8Array, expected: Expected) =>
    given(name, expected, { cid: cidOf(bytes), blocks: { ...whole.blocks, [cidOf(bytes)]: bytes } })
  const text = new TextDecoder().decode(receipt)
  const encode = (changed: string) => new TextEncoder().encode(changed)
  const { [cidOf(collateral)]: _, ...bare } = whole.blocks
  const { [cid]: __, ...empty } = whole.blocks
  const former = { chainId: event.chainId, address: `0x${'0f'.repeat(20)}` } as const
  const strict = { ...good.anchors, authorisation: { minimum: 'passkey-verified' as const } }
  return [
    instead('a space after the receipt', encode(`${text} `), ['canonical_bytes', 'receipt_not_canonical']),
    instead('half a receipt', receipt.slice(0, 3000), ['canonical_bytes', 'parse_failed']),
    instead('one more member', encode(text.replace(/}$/, ',"zzz":1}')), ['canonical_bytes', 'receipt_invalid']),
    instead('too large a receipt', encode(`${text}${' '.repeat(600_000)}`), ['canonical_bytes', 'receipt_too_large']),
    instead('collateral in place of the receipt', collateral, ['canonical_bytes', 'receipt_invalid']),
    given('collateral that no gateway has', ['collateral_cid', 'evidence_missing'], { blocks: bare }),
    given('no event', ['onchain_event', 'event_missing'], { events: births }),
    given('an event for another wallet', ['onchain_event', 'event_missing'], { events: [...births, { ...event, wallet: `0x${'01'.repeat(20)}` }] }),
    given('a second event that names something else', ['onchain_event', 'event_mismatch'], { events: [event, ...births, { ...event, ipfsCid: cidOf(collateral), blockNumber: 13 }] }),
    given('an event of another expected contract that names something else', ['onchain_event', 'event_mismatch'], { anchors: { ...good.anchors, contracts: [former, ...good.anchors.contracts] }, events: [event, ...births, { ...event, contract: former.address, ipfsCid: cidOf(collateral) }] }),
    given('a receipt that is published twice', 'verified', { events: [event, ...births, { ...event, blockNumber: 13 }] }),
    given('anchors that want a passkey', ['passkey', 'authorisation_level'], { anchors: strict }),
    given('simulated hardware under the vendors’ roots', ['entropy_witness', 'entropy_untrusted'], { anchors: { ...vendorAnchors(), contracts: good.anchors.contracts } }),
    given('a receipt that no gateway has', { noVerdict: 'service_unavailable' }, { blocks: empty }),
    given('a gateway that gives other bytes', { noVerdict: 'cid_mismatch' }, { blocks: { ...whole.blocks, [cid]: collateral } }),
  ] // prettier-ignore
}
