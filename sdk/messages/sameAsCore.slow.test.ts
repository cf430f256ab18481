import { SignTypedDataVersion, TypedDataUtils } from '@metamask/eth-sig-util'
import { TypedDataEncoder } from 'ethers'
import { bytesToHex, hexToBytes, serializeTransaction, stringToHex } from 'viem'
import { describe, expect, test } from 'vitest'
import * as core from '../../core/message/index.js'
import { signInText } from '../../core/message/testing/texts.js'
import { mail, permit } from '../../core/message/testing/typedData.js'
import { createRandom, type Random } from '../../tests/createRandom.js'
import { parseWire } from '../testing/parseWire.js'
import { parsePersonal, parseTyped } from './parseMessage.js'
import { messageCommitment, requestHash } from './requestHash.js'

// The published package may not import core, so its rules are written twice. What follows keeps them the same.

/** What became of it: the code of the refusal, or all that was read. */
function outcome(parse: () => core.ParsedMessage): unknown {
  try {
    const { digest, chainId, text, signIn } = parse()
    return { digest, chainId, text, signIn }
  } catch (error) {
    const { code } = error as { code?: string }
    if (code === undefined) throw error
    return code
  }
}

function expectSame(input: Record<string, unknown>): unknown {
  const ours = outcome(() => parseWire(structuredClone(input)))
  expect(ours, JSON.stringify(input)).toEqual(outcome(() => core.parseMessage(input)))
  return ours
}

const odd = [
  null,
  true,
  false,
  0,
  1,
  -1,
  1.5,
  2 ** 60,
  '',
  '0',
  '00',
  '-0',
  '-1',
  '0x',
  '0x00',
  '0X00',
  'false',
  [],
  {},
]
const words = [
  'uint8',
  'uint',
  'uint7',
  'bytes33',
  'Person',
  'Person[]',
  'uint8[0]',
  'address[2]',
  'EIP712Domain',
  ' 1',
]

/** One small change somewhere in a JSON value. */
function mutate(value: unknown, random: Random): unknown {
  const entries = Object.entries(Object(value) as object)
  if (typeof value !== 'object' || entries.length === 0 || random.fraction() < 0.05) {
    if (typeof value === 'string' && random.fraction() < 0.6) return mutateText(value, random)
    return random.fraction() < 0.5 ? random.pick(odd) : random.pick(words)
  }
  const i = random.below(entries.length)
  const [name, item] = entries[i] as [string, unknown]
  const change = random.below(10)
  const renamed = random.fraction() < 0.5 ? mutateText(name, random) : random.pick(['extra', '__proto__', 'Mail'])
  if (change === 0) entries.splice(i, 1)
  else if (change === 1) entries.push([renamed, structuredClone(item)])
  else entries[i] = [name, mutate(item, random)]
  return Array.isArray(value) ? entries.map(([, one]) => one) : Object.fromEntries(entries)
}

function mutateText(text: string, random: Random): string {
  const at = random.below(text.length + 1)
  const letter = random.pick(['a', 'Z', '$', '0', ' ', '\n', '[', 'é', '\ud800', '\0', ':', '-'])
  const cut = text.slice(0, at) + text.slice(at + 1)
  return random.pick([cut, text.slice(0, at) + letter + text.slice(at), text.toLowerCase(), text.toUpperCase()])
}

test('1,000 mutants of typed data: the same digest as core, or the same code', () => {
  const random = createRandom(4361)
  const codes = new Set<unknown>()
  let signed = 0
  for (let made = 0; made < 1_000; made++) {
    let typedData: unknown = random.pick([mail, permit])
    for (let changes = random.between(1, 2); changes > 0; changes--) typedData = mutate(typedData, random)
    const result = expectSame({ scheme: 'eip712', typedData })
    if (typeof result === 'string') codes.add(result)
    else signed++
  }
  expect(signed).toBeGreaterThan(60)
  expect(codes.size).toBeGreaterThan(8)
})

test('1,000 mutants of sign-in messages: the same members as core reads, or the same code', () => {
  const random = createRandom(191)
  const results: unknown[] = []
  for (let made = 0; made < 1_000; made++) {
    let text = signInText
    for (let changes = random.between(1, 3); changes > 0; changes--) text = mutateText(text, random)
    results.push(expectSame({ scheme: 'eip191', message: stringToHex(text) }))
  }
  expect(results.filter((one) => typeof one !== 'string').length).toBeGreaterThan(60)
  expect(results).toContain('sign_in_malformed')
})

const transaction = serializeTransaction({ chainId: 1, to: `0x${'11'.repeat(20)}`, value: 5n, maxFeePerGas: 9n })
test.each<[string, Record<string, unknown>]>([
  ['a text', { scheme: 'eip191', message: stringToHex('Hello, é🚀') }],
  ['nothing', { scheme: 'eip191', message: '0x' }],
  ['bytes that are no text', { scheme: 'eip191', message: '0xff00' }],
  ['a hash', { scheme: 'eip191', message: `0x${'9f'.repeat(32)}` }],
  ['a hash written as hex', { scheme: 'eip191', message: stringToHex(`0x${'9f'.repeat(32)}`) }],
  ['32 letters', { scheme: 'eip191', message: stringToHex('a'.repeat(32)) }],
  ['a transaction', { scheme: 'eip191', message: transaction }],
  ['a transaction written as hex', { scheme: 'eip191', message: stringToHex(` ${transaction}\n`) }],
  ['an EIP-7702 authorisation', { scheme: 'eip191', message: '0x05c3010203' }],
  ['half a byte', { scheme: 'eip191', message: '0x1' }],
  ['no hex', { scheme: 'eip191', message: 'hello' }],
  ['no message', { scheme: 'eip191' }],
  ['both', { scheme: 'eip191', message: '0x', typedData: mail }],
  ['another member', { scheme: 'eip712', typedData: mail, hash: '0x' }],
  ['a hash to sign', { scheme: 'hash', message: '0x' }],
  ['too much', { scheme: 'eip191', message: `0x${'61'.repeat(65_537)}` }],
  ['too much typed data', { scheme: 'eip712', typedData: { ...mail, primaryType: 'a'.repeat(65_536) } }],
  ['an exact EIP712Domain', { scheme: 'eip712', typedData: withDomain(['string', 'string', 'uint256', 'address']) }],
  ['an EIP712Domain with type before name', { scheme: 'eip712', typedData: withDomain(['string', 'string', 'uint256', 'address'], (name, type) => ({ type, name })) }], // prettier-ignore
  ['an EIP712Domain with another member', { scheme: 'eip712', typedData: withDomain(['string', 'string', 'uint256', 'address'], (name, type) => ({ name, type, more: 1 })) }], // prettier-ignore
  ['another EIP712Domain', { scheme: 'eip712', typedData: withDomain(['string', 'string', 'uint256']) }],
])('%s: as core', (_, input) => {
  expectSame(input)
})

function withDomain(domain: string[], memberOf = (name: string, type: string): unknown => ({ name, type })) {
  const names = ['name', 'version', 'chainId', 'verifyingContract']
  const EIP712Domain = domain.map((type, i) => memberOf(names[i]!, type))
  return { ...mail, types: { EIP712Domain, ...mail.types } }
}

test('requestHash and commitment are core’s', () => {
  const random = createRandom(32)
  const [digest, salt, signature] = [32, 32, 65].map((length) => bytesToHex(random.bytes(length))) as [
    never,
    never,
    never,
  ]
  for (const scheme of core.messageSchemes) {
    const hidden = { scheme, digest, salt }
    expect(requestHash(scheme, digest, salt)).toBe(core.requestHash(hidden))
    expect(messageCommitment(scheme, digest, salt, signature)).toBe(core.messageCommitment(hidden, signature))
  }
})

describe('what applications send', () => {
  const amounts = {
    domain: { name: 'App', chainId: 31337 },
    types: {
      Order: [
        { name: 'amounts', type: 'uint256[]' },
        { name: 'change', type: 'int64' },
        { name: 'tag', type: 'bytes4' },
      ],
    },
    primaryType: 'Order',
    message: { amounts: [1, 2n ** 200n, '3', '0xff', '0x00FF'], change: -5, tag: hexToBytes('0xdeadbeef') },
  }
  const exact = {
    ...amounts,
    domain: { name: 'App', chainId: '31337' },
    message: { amounts: ['1', String(2n ** 200n), '3', '255', '255'], change: '-5', tag: '0xdeadbeef' },
  }

  test('numbers, bigints, hex and bytes are written as the service takes them, and mean the same to ethers and MetaMask', () => {
    const { message, digest } = parseTyped(amounts)
    expect(message).toEqual({ scheme: 'eip712', typedData: exact })
    expect(digest).toBe(TypedDataEncoder.hash(exact.domain, amounts.types, exact.message))
    const EIP712Domain = [
      { name: 'name', type: 'string' },
      { name: 'chainId', type: 'uint256' },
    ]
    const asSent = { ...exact, types: { EIP712Domain, ...amounts.types }, domain: amounts.domain }
    expect(digest).toBe(bytesToHex(TypedDataUtils.eip712Hash(asSent as never, SignTypedDataVersion.V4)))
    expect(parseTyped(JSON.stringify(asSent))).toEqual(parseTyped(asSent))
    expect(parseTyped(asSent).digest).toBe(digest)
  })

  test('types that nothing uses are left out, unless they contain what is signed', () => {
    const Group = [{ name: 'members', type: 'Person[]' }]
    const { message, digest } = parseTyped({ ...mail, types: { ...mail.types, Group } })
    expect(message).toEqual({ scheme: 'eip712', typedData: mail })
    expect(digest).toBe(parseTyped(mail).digest)
    const Box = [{ name: 'mail', type: 'Mail' }]
    const boxed = () => parseTyped({ ...mail, types: { ...mail.types, Box } })
    expect(outcome(boxed)).toBe('typed_data_primary_type')
  })

  test.each<[string, unknown, string]>([
    ['a number that is not exact', { change: 2 ** 60 }, 'typed_data_number'],
    ['a fraction', { change: 1.5 }, 'typed_data_number'],
    ['a text as a number', { change: 'five' }, 'typed_data_value'],
    ['an empty text as a number', { change: '' }, 'typed_data_value'],
    ['a bigint out of range', { change: 2n ** 63n }, 'typed_data_value'],
    ['a bool as a number', { change: true }, 'typed_data_value'],
    ['too few bytes', { tag: new Uint8Array(3) }, 'typed_data_value'],
  ])('%s is refused', (_, change, code) => {
    const message = { ...amounts.message, ...(change as object) }
    expect(outcome(() => parseTyped({ ...amounts, message }))).toBe(code)
  })

  test('whatever is accepted reaches core with the same digest: 1,000 mutants', () => {
    const random = createRandom(4902)
    let accepted = 0
    for (let made = 0; made < 1_000; made++) {
      const parsed = (() => {
        try {
          return parseTyped(mutate(exact, random))
        } catch {
          return null
        }
      })()
      if (!parsed) continue
      accepted++
      const sent: unknown = JSON.parse(JSON.stringify(parsed.message))
      expect(core.parseMessage(sent).digest).toBe(parsed.digest)
    }
    expect(accepted).toBeGreaterThan(60)
  })

  test('a text and its bytes are the same message', () => {
    expect(parsePersonal('é')).toEqual(parsePersonal({ raw: '0xc3a9' }))
    expect(parsePersonal({ raw: hexToBytes('0xc3a9') })).toEqual(parsePersonal('é'))
  })
})
