import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { sha256 } from '@noble/hashes/sha2'
import { expect, test } from 'vitest'
import { cidOf, fromHex, toHex, type Hex } from '@perigee/core/bytes'
import { receiptBytes, type AttestationReceiptV1 } from '@perigee/core/receipt'
import { verifyReceipt, type ReceiptEvidence } from '@perigee/core/receipt/verify'
import { hostileLogs } from '../core/measurements/testing/bootLogs.js'
import { eventOf } from '../core/receipt/testing/evidenceOf.js'
import { mintBirth } from '../core/receipt/testing/mintBirth.js'
import { mintReceipt } from '../core/receipt/testing/mintReceipt.js'
import { createSampleOwner } from '../core/receipt/testing/sampleOwner.js'
import { announcementOf, listFile, releasesOf, simulatedList } from '../core/receipt/testing/simulatedReleases.js'
import { createSimulatedWorld, sampleEntropy } from '../core/receipt/testing/simulatedWorld.js'

const world = await createSimulatedWorld()
const good = mintReceipt(world, { owner: createSampleOwner() })
const { evidence, receipt, anchors } = good
const event = evidence.events[0]!
const flip = (hex: string, at = 10) => `${hex.slice(0, at)}${hex[at] === '0' ? '1' : '0'}${hex.slice(at + 1)}` as Hex

/** The same receipt with one change, published by the service itself: CID and event fit it. */
function published(change: (receipt: AttestationReceiptV1) => void): ReceiptEvidence {
  const changed = structuredClone(receipt)
  change(changed)
  const bytes = receiptBytes(changed)
  const cid = cidOf(bytes)
  return { ...evidence, receipt: bytes, cid, events: [eventOf(changed, cid)] }
}
/** Evidence of a machine or a service that did something else; all that it signs and quotes fits. */
const minted = (changes: Parameters<typeof mintReceipt>[1]): ReceiptEvidence => mintReceipt(world, changes).evidence
const bootedWith = (code: string) => {
  const [, , change] = hostileLogs.find(([, expected]) => expected === code)!
  return minted({ runtimeEvents: change(receipt.signer.runtimeEvents) })
}
const given = (changes: Partial<ReceiptEvidence>): ReceiptEvidence => ({ ...evidence, ...changes })
const foreignList = listFile(simulatedList(), 8)
const otherFirst = listFile(simulatedList(1, { issuedAt: '2026-12-01T00:00:00Z' }))
const without = simulatedList(2, { enclaves: [] })
const otherPasskey = ({ authorisation }: AttestationReceiptV1) => {
  if (authorisation.passkey) authorisation.passkey.signature = flip(authorisation.passkey.signature, 20)
}

function otherReport({ coordinator }: AttestationReceiptV1): void {
  coordinator.report = flip(coordinator.report, 200)
  coordinator.reportHash = toHex(sha256(fromHex(coordinator.report)))
}

/** Words of a sentence in README, and what makes it false: the step that must fail, and its code. */
const cases: [sentence: string, step: string, code: string, evidence: ReceiptEvidence][] = [
  ['made by an Intel TDX machine', 'quote', 'quote_signature', published((r) => (r.signer.quote = flip(r.signer.quote, 1200)))],
  ['made by an Intel TDX machine', 'quote', 'claim_mismatch', published((r) => (r.signer.tcbStatus = 'OutOfDate'))],
  ['a build of the public list', 'measurements', 'build_withdrawn', given({ releases: releasesOf(simulatedList(), without) })],
  ['a build of the public list', 'measurements', 'measurement_unknown', given({ releases: releasesOf({ ...without, version: 1 }) })],
  ['signed by the release key and announced', 'release_list', 'release_signature', given({ releases: { announcements: [announcementOf(foreignList, 1, 1)], lists: [foreignList] } })],
  ['signed by the release key and announced', 'release_list', 'release_missing', given({ releases: { ...evidence.releases, announcements: evidence.releases.announcements.map((one) => ({ ...one, contract: flip(one.contract) })) } })],
  ['signed by the release key and announced', 'release_list', 'release_conflict', given({ releases: { ...evidence.releases, lists: [...evidence.releases.lists, otherFirst] } })],
  ['came from the key service', 'measurements', 'key_provider_mismatch', bootedWith('key_provider_mismatch')],
  ['came from the key service', 'measurements', 'app_id_mismatch', bootedWith('app_id_mismatch')],
  ['made in an enclave of a listed build', 'birth', 'birth_late', minted({ birth: mintBirth(world, { createdAt: world.signedAt + 3600 }) })],
  ['made in an enclave of a listed build', 'birth', 'birth_mismatch', minted({ birth: mintBirth(world, { subject: `0x${'77'.repeat(32)}` }) })],
  ['made in an enclave of a listed build', 'birth', 'birth_invalid', minted({ birth: mintBirth(world, { runtimeEvents: hostileLogs[0]![2](receipt.signer.runtimeEvents) }) })],
  ['decoded this very transaction', 'transaction_digest', 'digest_mismatch', published((r) => (r.transaction.value = '1'))],
  ['decoded this very transaction', 'public_key', 'public_key_mismatch', published((r) => (r.signer.publicKey = `0x02${'ff'.repeat(32)}`))],
  ['bound into one hardware quote', 'report_data', 'binding_mismatch', published((r) => (r.signer.nonce = flip(r.signer.nonce)))],
  ['keeps to the signing policy', 'policy', 'value_out_of_range', minted({ policy: { ...receipt.signer.policy, maxValue: '1' } })],
  ['the entropy sample is what', 'entropy_witness', 'entropy_invalid', published((r) => (r.entropy.value = flip(r.entropy.value)))],
  ['the entropy sample is what', 'entropy_witness', 'entropy_stale', minted({ entropy: sampleEntropy('43', world.signedAt - 700) })],
  ['an AMD SEV-SNP machine', 'coordinator_report', 'report_signature', published(otherReport)],
  ['an AMD SEV-SNP machine', 'measurements', 'measurement_unknown', given({ releases: releasesOf(simulatedList(1, { coordinators: [] })) })],
  ['signed a statement for exactly this digest', 'statement', 'statement_invalid', published((r) => (r.authorisation.statement.digest = flip(r.authorisation.statement.digest)))],
  ['for a wallet with passkeys', 'passkey', 'authorisation_invalid', published(otherPasskey)],
  ['the signature is the wallet', 'signature', 'signature_invalid', published((r) => (r.transaction.from = flip(r.transaction.from)))],
  ['those that the chain names', 'cid', 'cid_mismatch', given({ receipt: published((r) => (r.spec = 'https://other.example')).receipt })],
  ['those that the chain names', 'onchain_event', 'event_mismatch', given({ events: [event, { ...event, ipfsCid: world.collateralCid }] })],
  ['before the block of its event', 'times', 'times_inconsistent', given({ events: [{ ...event, blockTimestamp: world.signedAt - 61 }] })],
  ['says truly whether', 'trust_anchors', 'simulated_mismatch', published((r) => (r.simulated = false))],
] // prettier-ignore

const text = readFileSync(resolve(import.meta.dirname, '../README.md'), 'utf8')
const section = /## What a receipt proves[\s\S]*?shows that\n\n([\s\S]*?)\n\n/.exec(text)?.[1] ?? ''
const sentences = section.split(/^- /m).slice(1).map((item) => item.replace(/\s+/g, ' ').trim()) // prettier-ignore
const words = [...new Set(cases.map(([sentence]) => sentence))]

test('a good receipt verifies, so that every case below is the work of its one change', async () => {
  const { failed, skipped } = await verifyReceipt(good.evidence, { anchors })
  expect({ failed, skipped }).toEqual({ failed: [], skipped: [] })
})

test('every sentence of README’s “What a receipt proves” has a case, and every case a sentence', () => {
  expect(sentences.length).toBeGreaterThan(10)
  for (const sentence of sentences) {
    expect([sentence, words.filter((some) => sentence.includes(some))]).toEqual([sentence, [expect.any(String)]])
    expect(sentence).not.toMatch(/[.;] [A-Z]/) // one sentence each
  }
  for (const some of words)
    expect([some, sentences.filter((sentence) => sentence.includes(some)).length]).toEqual([some, 1])
})

test.each(cases)('“…%s…” made false fails %s with %s', async (_, step, code, spoiled) => {
  const verdict = await verifyReceipt(spoiled, { anchors })
  expect(verdict.verified).toBe(false)
  expect(verdict.steps.filter(({ status }) => status === 'fail').map((one) => [one.step, one.code])).toContainEqual([step, code]) // prettier-ignore
})
