import { maxUint256 } from 'viem'
import { expect, test } from 'vitest'
import { signInText } from '../../core/message/testing/texts.js'
import { mail } from '../../core/message/testing/typedData.js'
import type { MessageView } from '../types.js'
import { describe } from './describe.js'
import { parsePersonal, parseTyped } from './parseMessage.js'

const spender = '0x00000000000000000000000000000000000000aa'
const token = '0x00000000000000000000000000000000000000bb'
const address = '0xCD2a3d9F938E13CD947Ec05AbC7FE734Df8DD826'
const here = { address, chainId: 1, origin: 'https://service.example' } as const
type Of<Kind> = Extract<MessageView, { kind: Kind }>
const personal = (text: string, where: Parameters<typeof describe>[1] = here) => describe(parsePersonal(text), where)
const typed = (data: unknown) => describe(parseTyped(data), here) as Of<'typed-data'>
const codes = ({ warnings }: MessageView) => warnings.map(({ code }) => code)
const members = (...types: string[]) =>
  types.map((line) => ({ type: line.split(' ')[0] as string, name: line.split(' ')[1] as string }))

test('a message is its text, or bytes with a warning', () => {
  expect(personal('hello')).toEqual({ kind: 'message', text: 'hello', bytes: '0x68656c6c6f', warnings: [] })
  const bytes = describe(parsePersonal({ raw: '0xff' }), here)
  expect(bytes).toMatchObject({ kind: 'message', text: null, bytes: '0xff', warnings: [{ code: 'not_text' }] })
})

test('characters that do not show are pointed out', () => {
  expect(codes(personal('pay\u202eAlice'))).toEqual(['hidden_characters'])
  expect(codes(typed({ ...mail, message: { ...mail.message, contents: 'Hel\u200blo' } }))).toEqual([
    'hidden_characters',
  ])
  expect(codes(personal('two\nlines,\tone tab'))).toEqual([])
})

test('a sign-in message is shown by its members', () => {
  const soon = new Date(Date.now() + 60_000).toISOString()
  const view = personal(signInText.replace('2026-11-17T16:25:24.000Z', soon).replace(/\nNot Before.*/, ''))
  const signIn = { domain: 'service.example', address, chainId: '1', nonce: '32891756abc', expirationTime: soon }
  expect(view).toMatchObject({ kind: 'sign-in', signIn, warnings: [] })
})

test.each([
  ['another page', { ...here, origin: 'https://evil.example' }, signInText, 'other_site'],
  ['another scheme', { ...here, origin: 'http://service.example' }, `https://${signInText}`, 'other_site'],
  ['another chain', { ...here, chainId: 5 }, signInText, 'other_chain'],
  ['the past', here, signInText.replace('2026-11-17T16', '2020-11-17T16'), 'expired'],
  ['the future', here, signInText.replace('Not Before: 2026', 'Not Before: 2999'), 'not_yet_valid'],
])('a sign-in message of %s has a warning', (_, where, text, code) => {
  expect(codes(personal(text, where))).toContain(code)
})

test('outside of a browser no page is compared', () => {
  expect(codes(personal(signInText, { ...here, origin: undefined }))).not.toContain('other_site')
})

test('typed data is a tree in the order of its types', () => {
  const view = typed(mail)
  expect(view).toMatchObject({ primaryType: 'Mail', known: null, allowances: [], warnings: [] })
  expect(view.domain).toEqual(mail.domain)
  expect(view.tree.map(({ name, type }) => `${type} ${name}`)).toEqual(['Person from', 'Person to', 'string contents'])
  expect(view.tree[0]?.children).toEqual([
    { name: 'name', type: 'string', value: 'Cow', children: [] },
    { name: 'wallet', type: 'address', value: address, children: [] },
  ])
  expect(view.tree[2]?.value).toBe('Hello, Bob!')
})

test('lists are numbered', () => {
  const types = { Order: members('uint8[2][] grid') }
  const data = { types, primaryType: 'Order', domain: { name: 'App', chainId: 1 }, message: { grid: [[1, 2]] } }
  const [grid] = typed(data).tree
  expect(grid).toMatchObject({ name: 'grid', value: null, children: [{ name: '0', type: 'uint8[2]' }] })
  expect(grid?.children[0]?.children.map(({ name, value }) => [name, value])).toEqual([
    ['0', '1'],
    ['1', '2'],
  ])
})

const permit = (value: bigint | number, deadline: bigint | number) => ({
  types: { Permit: members('address owner', 'address spender', 'uint256 value', 'uint256 nonce', 'uint256 deadline') },
  primaryType: 'Permit',
  domain: { name: 'Token', version: '1', chainId: 1, verifyingContract: token },
  message: { owner: address, spender, value, nonce: 0, deadline },
})

test('a permit says who may take what until when', () => {
  const view = typed(permit(3000, 1_900_000_000))
  const expires = '2030-03-17T17:46:40.000Z'
  expect(view).toMatchObject({ known: 'permit', warnings: [] })
  expect(view.allowances).toEqual([{ token, spender, amount: '3000', isUnlimited: false, expires }])
})

test('an unlimited allowance, and one forever, are pointed out', () => {
  const view = typed(permit(maxUint256, maxUint256))
  expect(view.allowances).toMatchObject([{ isUnlimited: true, expires: null }])
  expect(codes(view)).toEqual(['allowance_unlimited', 'allowance_forever'])
  expect(view.warnings[0]?.message).toContain(spender)
})

test('DAI’s own permit is all or nothing', () => {
  const types = {
    Permit: members('address holder', 'address spender', 'uint256 nonce', 'uint256 expiry', 'bool allowed'),
  }
  const { domain } = permit(0, 0)
  const dai = (allowed: boolean, expiry: number) =>
    typed({ types, primaryType: 'Permit', domain, message: { holder: address, spender, nonce: 0, expiry, allowed } })
  expect(codes(dai(true, 0))).toEqual(['allowance_unlimited', 'allowance_forever'])
  expect(dai(true, 0)).toMatchObject({ known: 'dai-permit', allowances: [{ token }] })
  expect(dai(false, 1_900_000_000)).toMatchObject({ allowances: [{ amount: '0' }], warnings: [] })
})

test('Permit2: allowances that last, and single transfers, of one token or several', () => {
  const domain = { name: 'Permit2', chainId: 1, verifyingContract: token }
  const PermitDetails = members('address token', 'uint160 amount', 'uint48 expiration', 'uint48 nonce')
  const details = { token, amount: 2n ** 160n - 1n, expiration: 1_900_000_000, nonce: 0 }
  const single = typed({
    types: { PermitSingle: members('PermitDetails details', 'address spender', 'uint256 sigDeadline'), PermitDetails },
    primaryType: 'PermitSingle',
    domain,
    message: { details, spender, sigDeadline: 1 },
  })
  expect(single).toMatchObject({ known: 'permit2-allowance', allowances: [{ token, spender, isUnlimited: true }] })
  const TokenPermissions = members('address token', 'uint256 amount')
  const batch = members('TokenPermissions[] permitted', 'address spender', 'uint256 nonce', 'uint256 deadline')
  const permitted = [
    { token, amount: 1 },
    { token: spender, amount: 2 },
  ]
  const transfer = typed({
    types: { PermitBatchTransferFrom: batch, TokenPermissions },
    primaryType: 'PermitBatchTransferFrom',
    domain,
    message: { permitted, spender, nonce: 0, deadline: 1_900_000_000 },
  })
  expect(transfer.known).toBe('permit2-transfer')
  expect(transfer.allowances.map(({ amount }) => amount)).toEqual(['1', '2'])
})

test('typed data for another chain, or for every chain, has a warning', () => {
  const on = (domain: object) => codes(typed({ ...mail, domain }))
  expect(on({ name: 'App', chainId: 5 })).toEqual(['other_chain'])
  expect(on({ name: 'App' })).toEqual(['any_chain'])
})

test('a permit in name only is not taken for one', () => {
  const types = { Permit: members('string spender') }
  const view = typed({
    types,
    primaryType: 'Permit',
    domain: { name: 'Permit2', chainId: 1 },
    message: { spender: 'x' },
  })
  expect(view).toMatchObject({ known: null, allowances: [] })
})
