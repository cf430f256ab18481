import { randomBytes } from 'node:crypto'
import { hashMessage, hashTypedData, recoverAddress } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { toHex, type Hex } from '@perigee/core'
import { signingIntent } from '@perigee/core/authorisation'
import {
  checksumAddress,
  messageKinds,
  parseMessage,
  parseOpening,
  requestHash,
  type Message,
} from '@perigee/core/message'
import { createSoftPasskey } from '../../../core/authorisation/testing/createSoftPasskey.js'
import { approveOwners, ownersOf } from '../../../core/authorisation/testing/softOwners.js'
import { hexOfText, signInText } from '../../../core/message/testing/texts.js'
import { forViem, mail, permit } from '../../../core/message/testing/typedData.js'
import { Browser } from '../../testing/Browser.js'
import { noShares } from '../../../tests/rigs/api/noLimits.js'
import { startTestApi, webOrigin, type TestApi } from '../../../tests/rigs/api/startTestApi.js'

let api: TestApi
let browser: Browser
let address: Hex

beforeAll(async () => {
  api = await startTestApi()
  ;[browser, address] = await newPerson('messages@example.test')
})
afterAll(() => api.close())

async function newPerson(email: string, owned?: unknown): Promise<[Browser, Hex]> {
  const person = await api.signIn(email)
  const made = await api.post(person, '/wallet/provision', owned)
  return [person, ((await made.json()) as { address: Hex }).address]
}

const newSalt = () => toHex(randomBytes(32))
const personal = (text: string): Message => ({ scheme: 'eip191', message: hexOfText(text) })
const typed = { scheme: 'eip712', typedData: permit } as const
const send = (body: object, headers: Record<string, string> = {}, by = browser) =>
  api.post(by, '/sign/message', { salt: newSalt(), ...body }, headers)
const codeOf = async (answering: Promise<Response>) => {
  const answer = await answering
  return answer.status === 200 ? 'signed' : ((await answer.json()) as { code: string }).code
}
const signIn = (site: string, account: Hex = address) =>
  personal(
    signInText
      .replaceAll('service.example', site)
      .replace('0xCD2a3d9F938E13CD947Ec05AbC7FE734Df8DD826', checksumAddress(account)),
  )

test('both schemes are signed by the wallet’s key, and the opening opens what was signed', async () => {
  for (const [message, hash] of [
    [personal('hello'), hashMessage('hello')],
    [typed, hashTypedData(forViem(permit))],
  ] as const) {
    const salt = newSalt()
    const answer = await send({ ...message, salt })
    expect([answer.status, answer.headers.get('cache-control')]).toEqual([200, 'no-store'])
    const { signature, slug, opening } = (await answer.json()) as { signature: Hex; slug: string; opening: unknown }
    expect((await recoverAddress({ hash, signature })).toLowerCase()).toBe(address)
    expect(slug).toMatch(/^[A-Za-z0-9_-]{16,}$/)
    expect(opening).toEqual({ version: 'perigee-opening/1', message, signature, salt })
    expect(parseOpening(opening).parsed.digest).toBe(hash)
  }
})

test('the same request gives the same answer, and another salt another proof of the same signature', async () => {
  const body = { ...personal('again'), salt: newSalt() }
  const [first, second, other] = (await Promise.all(
    [body, body, { ...body, salt: newSalt() }].map(async (one) => (await send(one)).json()),
  )) as { signature: Hex; slug: string }[]
  expect(second).toEqual(first)
  expect(other?.signature).toBe(first?.signature)
  expect(other?.slug).not.toBe(first?.slug)
})

test('an Idempotency-Key gives the same answer again, stands for one request, and keeps no answer', async () => {
  const body = { ...personal('once'), salt: newSalt() }
  const key = { 'idempotency-key': '"m-1"' }
  const first = await send(body, key)
  const second = await send(body, key)
  expect(second.headers.get('idempotency-replayed')).toBe('true')
  expect(await second.text()).toBe(await first.text())
  expect(await codeOf(send({ ...body, salt: newSalt() }, key))).toBe('idempotency_mismatch')
  const rows = await api.database.query(`SELECT body, status FROM idempotency_keys WHERE route = '/sign/message'`)
  expect(rows).toEqual([{ body: '', status: 200 }])
})

test('a sign-in message is signed for this wallet and for the site that asks only, also where both sites are allowed', async () => {
  const [here, there] = [webOrigin, 'https://app.example.org']
  const ask = (origin: string, message: Message) => codeOf(send(message, { origin }))
  expect(await ask(here, signIn('localhost:5173'))).toBe('signed')
  expect(await ask(there, signIn('app.example.org'))).toBe('signed')
  const before = api.signer.calls.sign
  expect(await ask(here, signIn('app.example.org'))).toBe('sign_in_domain')
  expect(await ask(there, signIn('localhost:5173'))).toBe('sign_in_domain')
  expect(await ask(here, signIn('localhost'))).toBe('sign_in_domain')
  expect(await ask(here, signIn('evil.example'))).toBe('sign_in_domain')
  expect(await ask('https://evil.example', signIn('evil.example'))).toBe('origin_not_allowed')
  expect(await ask('', signIn('localhost:5173'))).toBe('origin_not_allowed') // no browser: it names its site too
  expect(await ask(there, signIn('app.example.org', `0x${'12'.repeat(20)}`))).toBe('sign_in_account')
  expect(api.signer.calls.sign).toBe(before)
})

const bad: [string, string, object][] = [
  ['no scheme', 'message_scheme_unsupported', { message: '0x00' }],
  ['a raw hash', 'message_scheme_unsupported', { scheme: 'hash', message: `0x${'00'.repeat(32)}` }],
  ['a bare hash', 'message_is_hash', { scheme: 'eip191', message: `0x${'a9'.repeat(32)}` }],
  ['both contents', 'message_invalid', { ...typed, message: '0x00' }],
  ['an unknown member', 'message_invalid', { ...personal('x'), extra: 1 }],
  ['text that is not hex', 'message_invalid', { scheme: 'eip191', message: 'hello' }],
  ['a transaction', 'message_is_transaction', { scheme: 'eip191', message: `0x02ed827a69808459682f008459682f0e825208940000000000000000000000000000000000000000843b9aca0080c0` }], // prettier-ignore
  ['more than 64 kB', 'message_too_large', { scheme: 'eip191', message: `0x${'61'.repeat(65_537)}` }],
  ['a body of 200 kB', 'payload_too_large', { scheme: 'eip191', message: `0x${'61'.repeat(100_000)}` }],
  ['another chain', 'chain_not_allowed', { scheme: 'eip712', typedData: mail }],
  ['a number', 'typed_data_number', { scheme: 'eip712', typedData: { ...permit, domain: { name: 'x', chainId: 31337 } } }], // prettier-ignore
  ['an unused type', 'typed_data_type_unused', { scheme: 'eip712', typedData: { ...permit, types: { ...permit.types, X: [] } } }], // prettier-ignore
  ['an unsigned member', 'typed_data_member_unknown', { scheme: 'eip712', typedData: { ...permit, message: { ...permit.message, x: '1' } } }], // prettier-ignore
  ['a missing member', 'typed_data_member_missing', { scheme: 'eip712', typedData: { ...permit, message: {} } }],
  ['an empty domain', 'typed_data_domain', { scheme: 'eip712', typedData: { ...permit, domain: {} } }],
  ['no typed data', 'typed_data_invalid', { scheme: 'eip712', typedData: {} }],
  ['a missing type', 'typed_data_primary_type', { scheme: 'eip712', typedData: { ...permit, primaryType: 'X' } }],
  ['half a sign-in', 'sign_in_malformed', personal(signInText.replace('Version: 1', 'Version: 2'))],
  ['no salt', 'invalid_request', { ...personal('x'), salt: undefined }],
  ['a short salt', 'invalid_request', { ...personal('x'), salt: '0x00' }],
  ['an approval for a wallet without owners', 'authorisation_invalid', { ...personal('x'), authorisation: createSoftPasskey().approve(signingIntent(`0x${'11'.repeat(20)}`, ownersOf([createSoftPasskey()]), { kind: 'message', chainId: 0, digest: `0x${'00'.repeat(32)}` })) }], // prettier-ignore
]
test.each(bad)('refuses %s: %s', async (_, code, body) => {
  const before = api.signer.calls.sign
  expect(await codeOf(send(body))).toBe(code)
  expect(api.signer.calls.sign).toBe(before)
})

test('64 kB of message are signed, and typed data as deep as EIP-712 is read here', async () => {
  expect(await codeOf(send({ scheme: 'eip191', message: `0x${'61'.repeat(65_536)}` }))).toBe('signed')
  const types = Object.fromEntries(
    Array.from({ length: 16 }, (_, i) => [`T${i}`, i < 15 ? [{ name: 'x', type: `T${i + 1}` }] : []]),
  )
  let message = {}
  for (let i = 0; i < 15; i++) message = { x: message }
  const typedData = { types, primaryType: 'T0', domain: { name: 'x' }, message }
  expect(await codeOf(send({ scheme: 'eip712', typedData }))).toBe('signed')
})

test('needs a session and a wallet, and takes from the share of signatures', async () => {
  expect(await codeOf(send(personal('x'), {}, new Browser()))).toBe('not_signed_in')
  expect(await codeOf(send(personal('x'), {}, await api.signIn('none@example.test')))).toBe('wallet_not_found')
  const limited = await startTestApi({ settings: { shares: { ...noShares, users: { ...noShares.users, perDay: 2 } } } }) // the wallet is one
  const person = await limited.signIn('limited@example.test')
  await limited.post(person, '/wallet/provision')
  const ask = () => limited.post(person, '/sign/message', { ...personal('x'), salt: newSalt() })
  expect([(await ask()).status, (await ask()).status]).toEqual([200, 429])
  await limited.close()
})

test('where the wallet has owners, a passkey must approve exactly this content and kind, on the page of a sign-in', async () => {
  const phone = createSoftPasskey({ origin: webOrigin })
  const owners = ownersOf([phone])
  const credentials = [{ publicKey: phone.publicKey, id: 'cGhvbmU' }]
  const approval = approveOwners(owners, { passkeys: [phone] })
  const [person, account] = await newPerson('owned@example.test', { owners, approval, credentials })
  const ask = (message: Message, authorisation?: unknown, salt = newSalt()) =>
    codeOf(send({ ...message, salt, ...(authorisation !== undefined && { authorisation }) }, {}, person))
  const intentOf = (message: Message, salt: Hex) =>
    signingIntent(account, owners, {
      kind: messageKinds[message.scheme],
      chainId: 0,
      digest: requestHash({ scheme: message.scheme, digest: parseMessage(message).digest, salt }),
    })
  const message = personal('mine')
  const salt = newSalt()
  const intent = intentOf(message, salt)
  const before = api.signer.calls.sign
  expect(await ask(message)).toBe('authorisation_required')
  for (const stray of [
    phone.approve({ ...intent, kind: 'typed-data' }),
    phone.approve({ ...intent, kind: 'transaction' }),
    phone.approve({ ...intent, chainId: 31337 }),
    phone.approve(intentOf(message, newSalt())),
    phone.approve(intentOf(personal('yours'), salt)),
    createSoftPasskey({ origin: webOrigin }).approve(intent),
  ]) {
    expect(await ask(message, stray, salt)).toBe('authorisation_invalid')
  }
  // The page that the passkey saw decides, not the list of the service.
  const [here, elsewhere] = [signIn('localhost:5173', account), signIn('app.example.org', account)]
  expect(await ask(elsewhere, phone.approve(intentOf(elsewhere, salt)), salt)).toBe('sign_in_domain')
  expect(api.signer.calls.sign).toBe(before)
  for (const good of [message, typed, here]) {
    expect(await ask(good, phone.approve(intentOf(good, salt)), salt)).toBe('signed')
  }
})

test('the audit log names the request and the scheme, and no log has content, signature or salt', async () => {
  const text = 'only for the two of us'
  const salt = newSalt()
  const answer = (await (await send({ ...personal(text), salt })).json()) as { signature: Hex; opening: unknown }
  const asked = requestHash({ scheme: 'eip191', digest: parseMessage(personal(text)).digest, salt })
  const events = await api.database.query<{ kind: string; facts: object }[]>(
    `SELECT kind, facts FROM audit_events ORDER BY sequence DESC LIMIT 1`,
  )
  expect(events).toMatchObject([{ kind: 'signature_requested', facts: { requestHash: asked, scheme: 'eip191' } }])
  expect(Object.keys(events[0]?.facts ?? {}).sort()).toEqual(['requestHash', 'scheme', 'walletId'])
  const logs = api.logs.join('')
  expect(logs).toContain('/sign/message')
  for (const secret of [text, hexOfText(text), salt, answer.signature]) expect(logs).not.toContain(secret.slice(2))
})
