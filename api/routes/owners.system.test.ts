import { afterAll, beforeAll, expect, test } from 'vitest'
import { transactionDigest, type Hex } from '@perigee/core'
import {
  ownersHash,
  transactionIntent,
  zero32,
  type OwnersRecord,
  type WalletOwners,
} from '@perigee/core/authorisation'
import { createSoftPasskey, createSoftRecovery } from '../../core/authorisation/testing/createSoftPasskey.js'
import { approveOwners, ownersOf } from '../../core/authorisation/testing/softOwners.js'
import { Browser } from '../testing/Browser.js'
import { exampleTransaction } from '../testing/exampleTransaction.js'
import { startTestApi, webOrigin, type TestApi } from '../../tests/rigs/api/startTestApi.js'

let api: TestApi
beforeAll(async () => {
  api = await startTestApi()
})
afterAll(() => api.close())

const [phone, laptop, stranger] = [createSoftPasskey(), createSoftPasskey(), createSoftPasskey()]
const idOf = (publicKey: Hex) => Buffer.from(publicKey.slice(-8)).toString('base64url')
const named = (owners: OwnersRecord) =>
  owners.credentials.map(({ publicKey }) => ({ publicKey, id: idOf(publicKey), label: 'a device' }))

let people = 0
const newPerson = () => api.signIn(`owner-${++people}@example.test`)
const ownersAt = async (browser: Browser) =>
  (await (await browser.fetch(`${api.url}/wallet/owners`)).json()) as WalletOwners
async function post(browser: Browser, path: string, body?: unknown) {
  const answer = await api.post(browser, path, body)
  return { status: answer.status, body: (await answer.json()) as WalletOwners & { code?: string } }
}
const codeOf = async (browser: Browser, path: string, body: unknown) => (await post(browser, path, body)).body.code

/** A body that asks for these owners, with the agreement of `by`. */
function asking(
  next: OwnersRecord,
  by: Parameters<typeof approveOwners>[1],
  at: { address?: Hex; current?: OwnersRecord | null } = {},
) {
  // prettier-ignore
  return { owners: next, approval: approveOwners(next, by, at), credentials: named(next) }
}

test('a wallet without owners says so, and takes no approval', async () => {
  const browser = await newPerson()
  expect((await browser.fetch(`${api.url}/wallet/owners`)).status).toBe(404)
  await post(browser, '/wallet/provision')
  const { address, ...rest } = await ownersAt(browser)
  expect(rest).toEqual({ owners: null, ownersHash: zero32, since: null, credentials: [] })
  const digest = transactionDigest(exampleTransaction)
  const stray = phone.approve(transactionIntent(address, ownersOf([phone]), 31337, digest))
  const body = { digest, txMetadata: exampleTransaction, authorisation: stray }
  expect(await codeOf(browser, '/sign/digest', body)).toBe('authorisation_invalid')
  expect((await post(browser, '/sign/digest', { ...body, authorisation: null })).status).toBe(200)
})

test('a wallet is made with a passkey when the passkey signed the record, and asked for again gives the same', async () => {
  const browser = await newPerson()
  const owners = ownersOf([phone])
  const good = asking(owners, { passkeys: [phone] })
  const calls = () => api.signer.calls.provision
  const before = calls()
  for (const [code, body] of [
    ['authorisation_required', asking(owners, { passkeys: [] })],
    ['authorisation_required', asking(ownersOf([phone, laptop]), { passkeys: [phone] })],
    ['authorisation_invalid', asking(owners, { passkeys: [stranger] })],
    ['authorisation_invalid', { ...good, approval: { passkeys: 'no', recovery: null } }],
    ['authorisation_invalid', asking(owners, { passkeys: [phone] }, { address: `0x${'11'.repeat(20)}` })],
    ['owners_invalid', { ...good, owners: { ...owners, threshold: 2 } }],
    ['owners_invalid', asking(ownersOf([phone], { current: owners }), { passkeys: [phone] })],
    ['invalid_request', { ...good, credentials: [] }],
    ['invalid_request', { owners }],
    ['invalid_request', { ...good, extra: 1 }],
  ] as const) {
    expect(await codeOf(browser, '/wallet/provision', body), JSON.stringify(body).slice(0, 200)).toBe(code)
  }
  expect(calls()).toBe(before) // the workflow was never asked
  const first = await post(browser, '/wallet/provision', good)
  expect(first.status).toBe(200)
  expect(await post(browser, '/wallet/provision', good)).toEqual(first)
  expect(await post(browser, '/wallet/provision')).toEqual(first)
  expect(await codeOf(browser, '/wallet/provision', asking(ownersOf([laptop]), { passkeys: [laptop] }))).toBe('owners_changed') // prettier-ignore
  const found = await ownersAt(browser)
  expect(found).toMatchObject({ owners, ownersHash: ownersHash(owners), since: 'creation' })
  expect(found.credentials).toMatchObject([
    { publicKey: phone.publicKey, id: idOf(phone.publicKey), label: 'a device' },
  ])
})

test('a wallet with owners signs with the approval of exactly this transaction, and the workflow is not asked without', async () => {
  const browser = await newPerson()
  const owners = ownersOf([phone])
  await post(browser, '/wallet/provision', asking(owners, { passkeys: [phone] }))
  const { address } = await ownersAt(browser)
  const digest = transactionDigest(exampleTransaction)
  const intent = transactionIntent(address, owners, 31337, digest)
  const now = Math.floor(Date.now() / 1000)
  const before = api.signer.calls.sign
  const sign = (authorisation?: unknown) =>
    post(browser, '/sign/digest', { digest, txMetadata: exampleTransaction, ...(authorisation !== undefined && { authorisation }) }) // prettier-ignore
  const missing = await sign()
  expect([missing.status, missing.body.code]).toEqual([403, 'authorisation_required'])
  for (const [code, approval] of [
    ['authorisation_invalid', stranger.approve(intent)],
    ['authorisation_invalid', phone.approve({ ...intent, digest: zero32 })],
    ['authorisation_invalid', phone.approve({ ...intent, chainId: 1 })],
    ['authorisation_invalid', phone.approve(intent, now + 3600)],
    ['authorisation_expired', phone.approve(intent, now - 10)],
    ['authorisation_invalid', { ...phone.approve(intent), extra: 1 }],
    ['authorisation_invalid', 'yes'],
  ] as const) {
    expect((await sign(approval)).body.code).toBe(code)
  }
  expect(api.signer.calls.sign).toBe(before)
  expect((await sign(phone.approve(intent))).status).toBe(200)
})

test('owners are claimed, changed and recovered, each change on record, and a repeated one answers the same', async () => {
  const browser = await newPerson()
  const recovery = createSoftRecovery()
  await post(browser, '/wallet/provision')
  const { address } = await ownersAt(browser)
  const first = ownersOf([phone], { recovery })
  const claim = asking(first, { passkeys: [phone] }, { address })
  const claimed = await post(browser, '/wallet/owners', claim)
  expect(claimed).toMatchObject({ status: 200, body: { address, owners: first, since: 'upgrade' } })
  expect(await post(browser, '/wallet/owners', claim)).toEqual(claimed)
  expect(await ownersAt(browser)).toEqual(claimed.body)

  const second = ownersOf([phone, laptop], { current: first, recovery })
  const at = { address, current: first }
  const alone = asking(second, { passkeys: [laptop] }, at)
  expect(await codeOf(browser, '/wallet/owners', alone)).toBe('authorisation_required')
  const { owners, approval } = asking(second, { passkeys: [phone, laptop] }, at)
  // The phone is known already: only the new device needs its id, and the label of the phone stays.
  const credentials = [{ publicKey: laptop.publicKey, id: idOf(laptop.publicKey) }]
  const added = await post(browser, '/wallet/owners', { owners, approval, credentials })
  expect(added.status).toBe(200)
  expect(added.body.credentials.map(({ label }) => label).sort()).toEqual(['a device', null])
  expect(await codeOf(browser, '/wallet/owners', asking(ownersOf([phone], { current: first }), { passkeys: [phone] }, at))).toBe('owners_changed') // prettier-ignore

  const third = ownersOf([stranger], { current: second })
  const recovered = asking(third, { passkeys: [stranger], recovery }, { address, current: second })
  expect((await post(browser, '/wallet/owners', recovered)).body).toMatchObject({ owners: third, since: 'upgrade' })

  const kinds = await api.database.query<{ kind: string; facts: { sequence: number } }[]>(
    `SELECT kind, facts FROM audit_events WHERE facts->>'ownersHash' IS NOT NULL AND kind LIKE 'owners%' ORDER BY sequence`,
  )
  expect(kinds.map(({ kind, facts }) => `${kind} ${facts.sequence}`)).toEqual(
    [0, 1, 2].map((sequence) => `owners_change_requested ${sequence}`),
  )
})

test('signed in with authorisation=required, nothing is provisioned until a passkey comes', async () => {
  const signInWith = async (query: string) => {
    const start = `${api.url}/auth/dev?login_hint=new-${++people}@example.test${query}`
    const { url } = await new Browser().navigate(start, webOrigin)
    expect(url.href).toBe(`${webOrigin}/`)
  }
  const before = api.signer.calls.startProvisioning
  const started = () => api.signer.calls.startProvisioning - before
  await signInWith('&authorisation=required')
  await signInWith('')
  await signInWith('&authorisation=optional')
  await expect.poll(started).toBe(2) // a sign-in does not wait for it
  await new Promise((resolve) => setTimeout(resolve, 200))
  expect(started()).toBe(2)
  const wrong = await fetch(`${api.url}/auth/dev?authorisation=maybe`, { redirect: 'manual' })
  expect(wrong.status).toBe(400)
})
