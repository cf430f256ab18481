import { cp, mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { canonicalJson } from '@perigee/core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createStackFolder, type StackFolder } from '../dev/stack/createStackFolder.js'
import { silent } from '../dev/stack/progress.js'
import { simulationDir } from '../dev/stack/settings/makeIdentities.js'
import { components } from '../tests/harness/index.js'
import { copyPki } from '../tests/rigs/sharedPki.js'
import { checks, type CheckName } from './check/checks.js'
import type { Evidence } from './check/Evidence.js'
import { readRunFile } from './check/RunFile.js'
import { scanFiles } from './check/leaks/scanFiles.js'
import { parseArguments, type SoakOptions } from './parseArguments.js'
import { runSoak, type SoakResult } from './runSoak.js'

// The short fault test, then the checker on its evidence, spoiled in every way that it must notice.
let folder: string
let remove: StackFolder['remove']
let result: SoakResult
let evidence: Evidence

beforeAll(async () => {
  const { programs } = components()
  process.env['TEMPORAL_CLI_PATH'] ??= programs.temporal
  process.env['KUBO_PATH'] ??= programs.kubo
  const place = await createStackFolder('soak-test')
  ;({ folder, remove } = place)
  await copyPki(simulationDir(place.dir))
  // Other tests share the cores, so a process may take much longer to come back.
  const options = parseArguments(['--profile', 'short', '--recovery', '300'], Date.now()) as SoakOptions
  result = await runSoak(options, folder, silent)
  evidence = JSON.parse(await readFile(join(folder, 'evidence.json'), 'utf8')) as Evidence
}, 1_800_000)
afterAll(() => remove())

test('60 signatures, nine kills and two failpoints: nothing is lost, doubled, forged or leaked', async () => {
  const timeline = await readFile(result.timeline, 'utf8')
  expect(result.problems, `seed ${result.options.seed}\n${timeline}`).toEqual([])
  expect(result.load.acknowledged).toBeGreaterThanOrEqual(60)
  expect(result.faults['kill']).toBe(9)
  expect(result.recovery.map(({ component }) => component)).toHaveLength(9)
  expect(result.load.unsent).toBeGreaterThan(0)
  expect(result.load.sent).toBeGreaterThan(result.load.unsent)
  expect(result.rolling).toMatchObject({ restarts: 2, failed: 0 })
  expect(result.deaths).toMatchObject({ deaths: 2, missed: [] })
  const { signatures, messages, births } = result.check
  expect(signatures + messages + births).toBe(evidence.records.length)
  expect(messages).toBeGreaterThan(0)
  expect(births).toBeGreaterThan(result.options.users)
  expect(evidence.records.some(({ receipt }) => receipt?.includes('"clientDataJSON"'))).toBe(true) // a passkey approved
  expect(result.refused).toBeGreaterThan(0)
})

type Spoil = (evidence: Evidence) => void
const first = <T>(list: readonly T[]): T => list[0] as T
const signed = (records: Evidence['records']) => first(records.filter(({ kind }) => kind === 'transaction'))
const approved = (records: Evidence['records']) =>
  first(records.filter(({ kind, receipt }) => kind === 'transaction' && receipt?.includes('"clientDataJSON"')))
const born = (records: Evidence['records']) => first(records.filter(({ kind }) => kind === 'birth'))

/** The members that are spoiled below. */
interface Editable {
  authorisation: { statement: { expiresAt: number }; passkey: unknown }
  signer: { birthCid: string }
  entropy: unknown
}
const receiptOf = ({ receipt }: Evidence['records'][0]) => JSON.parse(receipt ?? '') as Editable
function edit(record: Evidence['records'][0], change: (receipt: Editable) => void): void {
  const receipt = receiptOf(record)
  change(receipt)
  record.receipt = canonicalJson(receipt)
}

const spoilt: [CheckName, string, Spoil][] = [
  [
    'acknowledgedMissing',
    'a record is gone',
    ({ records }) => void records.splice(records.indexOf(signed(records)), 1),
  ],
  ['acknowledgedMissing', 'a record has another signature', ({ records }) => void (signed(records).signature = '0x00')],
  ['answersChanged', 'a second answer differs', ({ acknowledged }) => void acknowledged.push({ ...first(acknowledged), slug: 'x' })], // prettier-ignore
  ['notTerminal', 'a proof still waits', ({ records }) => void (first(records).status = 'pending_onchain')],
  ['notTerminal', 'a birth still waits', ({ records }) => void (born(records).status = 'pending_pin')],
  ['notTerminal', 'a workflow still runs', ({ workflows }) => void (first(workflows).status = 'RUNNING')],
  ['wrongTerminal', 'a proof failed', ({ records }) => void (first(records).status = 'pin_failed')],
  ['wrongTerminal', 'a workflow was terminated', ({ workflows }) => void (first(workflows.filter(({ type }) => type === 'publishReceipt')).status = 'TERMINATED')], // prettier-ignore
  ['wrongTerminal', 'a workflow is missing', ({ workflows }) => void workflows.splice(0, Infinity)],
  ['eventsNotOne', 'an event is missing', ({ events }) => void events.pop()],
  ['eventsNotOne', 'an event was said twice', ({ events }) => void events.push(first(events))],
  ['eventsNotOne', 'an event belongs to nothing', ({ events }) => void events.push({ ...first(events), txHash: '0x01' })], // prettier-ignore
  ['cidsDiffer', 'the chain names another CID', ({ events }) => void (first(events).cid = 'bafkreiother')],
  ['cidsDiffer', 'the columns give another CID', ({ records }) => void (first(records).recomputedCid = 'bafkreiother')],
  ['cidsDiffer', 'IPFS gives other bytes', ({ blocks, records }) => void (blocks[first(records).cid ?? ''] = 'bafkreiother')], // prettier-ignore
  ['cidsDiffer', 'IPFS gives nothing', ({ blocks, records }) => void (blocks[first(records).cid ?? ''] = null)],
  ['cidsDiffer', 'the block is not pinned', ({ pinned }) => void pinned.splice(0, Infinity)],
  ['cidsDiffer', 'the record names a block that is gone', ({ records }) => void (first(records).onchainBlockHash = '0x01')], // prettier-ignore
  ['entropyReused', 'two signatures share a sample', ({ records }) => void ((records[1] as (typeof records)[0]).entropyHash = first(records).entropyHash)], // prettier-ignore
  ['entropyReused', 'a key and a signature share a value', ({ records }) => void (signed(records).entropyValue = born(records).entropyValue)], // prettier-ignore
  ['entropyReused', 'a sample served twice', ({ samples }) => void samples.push({ ...first(samples), purpose: 'sign:again' })], // prettier-ignore
  ['nonceGaps', 'a nonce was left out', ({ publishers }) => void first(publishers).slots.sort((a, b) => a.nonce - b.nonce).splice(1, 1)], // prettier-ignore
  ['nonceGaps', 'a nonce was given and never mined', ({ publishers }) => void first(publishers).mined--],
  ['nonceGaps', 'a slot is open', ({ publishers }) => void (first(first(publishers).slots).state = 'open')],
  ['unverifiedQuotes', 'a signature has no evidence', ({ records }) => void (first(records).quoteVerified = null)],
  ['unverifiedQuotes', 'a key has no verified quote', ({ records }) => void (born(records).quoteVerified = false)],
  ['birthsNotOne', 'a wallet has no birth', ({ records }) => void records.splice(records.indexOf(born(records)), 1)],
  ['birthsNotOne', 'a wallet has two births', ({ records }) => void records.push(born(records))],
  ['receiptsRejected', 'one digit of a receipt changed', ({ records }) => void (first(records).receipt = (first(records).receipt ?? '').replace(/"nonce":"0x./, '"nonce":"0xg'))], // prettier-ignore
  ['receiptsRejected', 'two receipts changed places', ({ records }) => void ([first(records).receipt, (records[1] as (typeof records)[0]).receipt] = [(records[1] as (typeof records)[0]).receipt, first(records).receipt])], // prettier-ignore
  ['receiptsRejected', 'collateral is missing', (all) => void (all.bundles = {})],
  ['unauthorised', 'a statement was changed', ({ records }) => void edit(signed(records), ({ authorisation }) => void (authorisation.statement.expiresAt += 1))], // prettier-ignore
  ['unauthorised', 'an owner did not approve', ({ records }) => void edit(approved(records), ({ authorisation }) => Object.assign(authorisation, { level: 'coordinator-attested', passkey: null }))], // prettier-ignore
  ['receiptsWithoutBirth', 'a receipt names another birth', ({ records }) => void edit(signed(records), ({ signer }) => void (signer.birthCid = 'bafkreiother'))], // prettier-ignore
  ['receiptsWithoutBirth', 'no birth was published', ({ records }) => void records.splice(0, Infinity, ...records.filter(({ kind }) => kind !== 'birth'))], // prettier-ignore
  ['entropyReused', 'two receipts name one sample', ({ records }) => void edit(signed(records), (receipt) => void (receipt.entropy = receiptOf(born(records)).entropy))], // prettier-ignore
  ['acknowledgedMissing', 'a message was signed by another key', ({ acknowledged }) => void (first(acknowledged.filter(({ kind }) => kind === 'message')).signedHash = `0x${'11'.repeat(32)}`)], // prettier-ignore
  ['webhooksLost', 'a proof was not announced', ({ webhooks }) => void webhooks.splice(0, Infinity, ...webhooks.filter(({ data }) => data['slug'] !== first(webhooks.filter(({ type }) => type === 'proof.complete')).data['slug']))], // prettier-ignore
  ['webhooksLost', 'the new place of a proof was not announced', ({ records }) => void (first(records.filter(({ status }) => status === 'complete')).onchainTxHash = '0x01')], // prettier-ignore
  ['webhooksLost', 'a wallet was not announced', ({ wallets }) => void wallets.push('0x01')],
  ['webhooksLost', 'an event is a dead letter', ({ undelivered }) => void undelivered.push('x')],
  ['webhooksDoubled', 'an event has two ids', ({ webhooks }) => void webhooks.push({ ...first(webhooks), id: 'x' })],
  ['webhooksDoubled', 'an id has two events', ({ webhooks }) => void webhooks.push({ ...first(webhooks), data: {} })],
  ['sharesExceeded', 'a user got one more', ({ records, share }) => void records.push(...Array.from({ length: share.perDay + 1 }, () => ({ ...first(records), wallet: share.wallet })))], // prettier-ignore
  ['auditFaults', 'the audit log was edited', ({ auditFaults }) => void auditFaults.push({ sequence: 1, fault: 'x' })],
  ['leaks', 'a history holds a secret', ({ leaks }) => void leaks.push({ where: 'history', what: 'a cookie' })],
]

const names = Object.keys(checks) as CheckName[]

/** They recover signers or verify receipts, which takes milliseconds each; the checker did so for all of them. */
const costly: readonly CheckName[] = ['acknowledgedMissing', 'receiptsRejected', 'unauthorised', 'receiptsWithoutBirth']
let few: Evidence | undefined
const evidenceFor = (name: CheckName): Evidence => (costly.includes(name) ? (few ??= fewOf(evidence)) : evidence)

/** A few acknowledged signatures, a message, and the births of their wallets. */
function fewOf(all: Evidence): Evidence {
  const answered = new Set(all.acknowledged.map(({ slug }) => slug))
  const kept = all.records.filter(({ slug }) => answered.has(slug))
  const signatures = kept.filter(({ kind }) => kind === 'transaction')
  const message = first(kept.filter(({ kind }) => kind === 'message'))
  const chosen = new Set([...signatures.slice(0, 2), approved(signatures), message])
  const slugs = new Set([...chosen].map(({ slug }) => slug))
  const wallets = new Set([...chosen].map(({ wallet }) => wallet))
  const births = all.records.filter(({ kind, wallet }) => kind === 'birth' && wallets.has(wallet))
  const acknowledged = all.acknowledged.filter(({ slug }) => slugs.has(slug))
  return { ...all, acknowledged, records: [...chosen, ...births] }
}

test.each(names)('the checker counts nothing under %s in the evidence as it is', async (name) => {
  expect(await checks[name](evidenceFor(name))).toEqual([])
})

test.each(spoilt)('the checker counts under %s that %s', async (name, _what, spoil) => {
  const bad = structuredClone(evidenceFor(name))
  spoil(bad)
  expect(await checks[name](bad)).not.toEqual([])
})

test('every check has a violation that it is known to notice', () => {
  expect(new Set(spoilt.map(([name]) => name))).toEqual(new Set(names))
})

test('each secret and each e-mail address is found when it is written into a log or a database file', async () => {
  const { logs, needles } = readRunFile(join(folder, 'run.json'))
  const copy = join(folder, 'logs-copy')
  await mkdir(copy)
  await cp(join(logs, 'api.log'), join(copy, 'api.log'))
  expect(await scanFiles(copy, needles)).toEqual([])
  const api = join(copy, 'api.log')
  const before = (await readFile(api, 'utf8')).slice(0, 20_000)
  expect(Object.keys(needles).length).toBeGreaterThan(10)
  for (const [what, needle] of Object.entries(needles)) {
    for (const spelling of [needle, encodeURIComponent(needle)]) {
      await writeFile(api, `${before}{"url":"/x?y=${spelling}"}\n`)
      expect(await scanFiles(copy, needles)).toContainEqual({ where: 'api.log', what })
    }
  }
})
