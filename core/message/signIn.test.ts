import { parseSiweMessage } from 'viem/siwe'
import { describe, expect, test } from 'vitest'
import type { Hex } from '../bytes/index.js'
import { checkSignInAccount, checkSignInSite, parseMessage, parseSignIn } from './index.js'
import { codeOf, hexOfText, signInText } from './testing/texts.js'

const wallet: Hex = '0xcd2a3d9f938e13cd947ec05abc7fe734df8dd826'
const parseText = (text: string) => parseMessage({ scheme: 'eip191', message: hexOfText(text) })
const without = (line: string) => signInText.split('\n').filter((one) => !one.startsWith(line)).join('\n') // prettier-ignore

test('viem reads the same in a sign-in message', () => {
  const ours = parseSignIn(signInText)
  const theirs = parseSiweMessage(signInText)
  expect({ ...ours, chainId: Number(ours.chainId) }).toMatchObject({
    domain: theirs.domain,
    address: theirs.address,
    statement: theirs.statement,
    uri: theirs.uri,
    chainId: theirs.chainId,
    nonce: theirs.nonce,
    requestId: theirs.requestId,
    resources: theirs.resources,
  })
  expect(new Date(ours.issuedAt)).toEqual(theirs.issuedAt)
  expect(new Date(ours.expirationTime as string)).toEqual(theirs.expirationTime)
  expect(new Date(ours.notBefore as string)).toEqual(theirs.notBefore)
})

test('the shortest sign-in message has no statement and no options', () => {
  const text = signInText.replace(/\nI accept.*\n/, '\n').split('\nExpiration')[0] as string
  expect(parseSignIn(text)).toMatchObject({ statement: null, expirationTime: null, requestId: null, resources: [] })
})

test('a message with sign-in words is parsed as one, and any other is not', () => {
  expect(parseText(signInText).signIn?.domain).toBe('service.example')
  expect(parseText('Hello, sign in?').signIn).toBeNull()
})

test.each<[string, string]>([
  ['other line ends', signInText.replaceAll('\n', '\r\n')],
  ['a first line in another case', signInText.replace('wants you', 'Wants you')],
  ['an invisible character in the first line', signInText.replace('wants', 'wa\u200bnts')],
  ['a full-width letter in the first line', signInText.replace('wants', 'ｗants')],
  ['a control character in the first line', signInText.replace('wants', 'wa\0nts')],
  ['a control character in the statement', signInText.replace('I accept', 'I\0accept')],
  ['a byte order mark', `\ufeff${signInText}`],
  ['words before it', `Welcome!\n${signInText}`],
  ['words after it', `${signInText}\nand more`],
  ['a last empty line', `${signInText}\n`],
  ['an address without its checksum', signInText.replace('0xCD2a', '0xcd2a')],
  ['a short address', signInText.replace('DD826', 'DD82')],
  ['a domain with a path', signInText.replace('service.example wants', 'service.example/x wants')],
  ['a domain with a user', signInText.replace('service.example wants', 'good.example@service.example wants')],
  ['no domain', signInText.replace('service.example wants', ' wants')],
  ['a domain of another alphabet', signInText.replace('service.example wants', 'sеrvice.example wants')],
  ['no URI', without('URI')],
  ['a URI with a space', signInText.replace('/login', '/log in')],
  ['version 2', signInText.replace('Version: 1', 'Version: 2')],
  ['no version', without('Version')],
  ['no chain', without('Chain ID')],
  ['a chain in hex', signInText.replace('Chain ID: 1', 'Chain ID: 0x1')],
  ['a short nonce', signInText.replace('32891756abc', '1234567')],
  ['no nonce', without('Nonce')],
  ['no time', without('Issued At')],
  ['a time that is none', signInText.replace('2026-11-16T16:25:24Z', '2026-13-16T16:25:24Z')],
  ['a time in words', signInText.replace('2026-11-16T16:25:24Z', 'yesterday')],
  ['members in another order', signInText.replace(/(Version: 1)\n(Chain ID: 1)/, '$2\n$1')],
  ['a member twice', signInText.replace('Version: 1', 'Version: 1\nVersion: 1')],
  ['a statement of two lines', signInText.replace('I accept', 'I accept\nall of')],
  ['a resource without its dash', signInText.replace('- https', 'https')],
])('refuses %s: sign_in_malformed', (_, text) => {
  expect(codeOf(() => parseText(text))).toBe('sign_in_malformed')
})

test('bytes that are not UTF-8 do not hide a sign-in message', () => {
  const bytes = `${hexOfText(signInText.replace('I accept', 'I accept~')).replace('7e', 'ff')}`
  expect(codeOf(() => parseMessage({ scheme: 'eip191', message: bytes }))).toBe('sign_in_malformed')
})

describe('the site that asks', () => {
  const signIn = (head: string) => parseSignIn(signInText.replace('service.example wants', `${head} wants`))
  test.each<[string, string, string[]]>([
    ['service.example', 'accepted', ['https://service.example']],
    ['SERVICE.example', 'accepted', ['https://other.example', 'https://service.example']],
    ['https://service.example', 'accepted', ['https://service.example']],
    ['localhost:3000', 'accepted', ['http://localhost:3000']],
    ['[::1]:3000', 'accepted', ['http://[::1]:3000']],
    ['service.example', 'sign_in_domain', ['https://evil.example']],
    ['service.example', 'sign_in_domain', ['https://service.example.evil.example']],
    ['service.example', 'sign_in_domain', ['https://app.service.example']],
    ['service.example', 'sign_in_domain', ['https://service.example:8443']],
    ['http://service.example', 'sign_in_domain', ['https://service.example']],
    ['service.example', 'sign_in_domain', []],
  ])('%s is %s on %s', (head, verdict, origins) => {
    expect(codeOf(() => checkSignInSite(signIn(head), origins))).toBe(verdict)
  })

  test('another account is refused', () => {
    expect(codeOf(() => checkSignInAccount(parseSignIn(signInText), wallet))).toBe('accepted')
    expect(codeOf(() => checkSignInAccount(parseSignIn(signInText), `0x${'1'.repeat(40)}`))).toBe('sign_in_account')
  })
})
