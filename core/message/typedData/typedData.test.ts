import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { hashTypedData } from 'viem'
import { expect, test } from 'vitest'
import { fixturesDir } from '../../tdx/testing/fixtures.js'
import { parseMessage } from '../index.js'
import { encodeType } from './encodeTypedData.js'
import { codeOf } from '../testing/texts.js'
import { forViem, mail, permit } from '../testing/typedData.js'

const parse = (typedData: unknown) => parseMessage({ scheme: 'eip712', typedData })
const digestOf = (typedData: unknown) => parse(typedData).digest

test('EIP-712’s own example has its digest and its encoded type', () => {
  expect(digestOf(mail)).toBe('0xbe609aee343fb3c4b28e1df9e632fca64fcfaede20f02e86244efddf30957bd2')
  const types = new Map(Object.entries(mail.types))
  expect(encodeType('Mail', types)).toBe(
    'Mail(Person from,Person to,string contents)Person(string name,address wallet)',
  )
})

test('viem gives the same digest for every kind of member', () => {
  expect(digestOf(permit)).toBe(hashTypedData(forViem(permit)))
  expect(parse(permit).chainId).toBe(31337)
})

test.skipIf(!fixturesDir)(
  'the 130 vectors of ethers have their digests; those with an empty domain are refused',
  () => {
    const file = join(fixturesDir as string, 'vectors/typed-data.json.gz')
    const cases = JSON.parse(gunzipSync(readFileSync(file)).toString()) as (typeof mail & {
      name: string
      data: Record<string, unknown>
      digest: string
    })[]
    const wrong = cases.flatMap(({ name, types, primaryType, domain, data, digest }) => {
      const typedData = { types, primaryType, domain: asStrings(domain), message: asStrings(data) }
      if (Object.keys(domain).length === 0)
        return codeOf(() => digestOf(typedData)) === 'typed_data_domain' ? [] : [name]
      try {
        return digestOf(typedData) === digest ? [] : [`${name}: another digest`]
      } catch (error) {
        return [`${name}: ${(error as Error).message}`]
      }
    })
    expect(cases).toHaveLength(130)
    expect(wrong).toEqual([])
  },
)

/** Integers as strings, as we ask for. */
function asStrings(value: unknown): unknown {
  if (typeof value === 'number') return String(value)
  if (Array.isArray(value)) return value.map(asStrings)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, asStrings(item)]))
}

test('EIP712Domain may be repeated, and changes nothing', () => {
  const { name, version, chainId, verifyingContract } = {
    name: { name: 'name', type: 'string' },
    version: { name: 'version', type: 'string' },
    chainId: { name: 'chainId', type: 'uint256' },
    verifyingContract: { name: 'verifyingContract', type: 'address' },
  }
  const withDomain = (...EIP712Domain: object[]) => ({ ...mail, types: { EIP712Domain, ...mail.types } })
  expect(digestOf(withDomain(name, version, chainId, verifyingContract))).toBe(digestOf(mail))
  const turned = [name, version, chainId, verifyingContract].map(({ name, type }) => ({ type, name }))
  expect(digestOf(withDomain(...turned))).toBe(digestOf(mail))
  expect(codeOf(() => parse(withDomain({ ...name, more: 1 }, version, chainId, verifyingContract)))).toBe('typed_data_domain') // prettier-ignore
  // viem would sign this for every chain
  expect(codeOf(() => parse(withDomain(name, version, verifyingContract)))).toBe('typed_data_domain')
  expect(codeOf(() => parse(withDomain(version, name, chainId, verifyingContract)))).toBe('typed_data_domain')
})

const typed = (types: object, message: object = {}, primaryType = 'A') => ({ types, primaryType, domain: mail.domain, message }) // prettier-ignore
const member = (type: string, value: unknown) => typed({ A: [{ name: 'x', type }] }, { x: value })
const chain = (length: number) =>
  Object.fromEntries(
    Array.from({ length }, (_, i) => [`T${i}`, i + 1 < length ? [{ name: 'x', type: `T${i + 1}` }] : []]),
  )
const domain = (changes: object) => ({ ...mail, domain: { ...mail.domain, ...changes } })

test.each<[string, string, unknown]>([
  ['no object', 'typed_data_invalid', 'x'],
  ['an unknown member', 'typed_data_invalid', { ...mail, extra: 1 }],
  ['no message', 'typed_data_invalid', { ...mail, message: undefined }],
  ['an unknown member of the domain', 'typed_data_domain', domain({ extra: '1' })],
  ['an empty domain', 'typed_data_domain', { ...mail, domain: {} }],
  ['a chain id as a number', 'typed_data_number', domain({ chainId: 1 })],
  ['a chain id of zero', 'chain_not_allowed', domain({ chainId: '0' })],
  ['a chain id beyond any chain', 'chain_not_allowed', domain({ chainId: '9007199254740993' })],
  ['a name that is no text', 'typed_data_value', domain({ name: null })],
  ['a contract with a wrong checksum', 'typed_data_value', domain({ verifyingContract: '0xcCCCccccCCCCcCCCCCCcCcCccCcCCCcCcccccccC' })], // prettier-ignore
  ['a primaryType that is not there', 'typed_data_primary_type', { ...mail, primaryType: 'Letter' }],
  ['the domain as primaryType', 'typed_data_primary_type', { ...mail, primaryType: 'EIP712Domain' }],
  ['a primaryType inside another', 'typed_data_primary_type', { ...mail, primaryType: 'Person', message: mail.message.to }], // prettier-ignore
  ['an unused type', 'typed_data_type_unused', { ...mail, types: { ...mail.types, Other: [] } }],
  ['a missing type', 'typed_data_type_missing', member('Other', {})],
  ['a type in itself', 'typed_data_type_recursive', typed({ A: [{ name: 'x', type: 'A[]' }] }, { x: [] })],
  ['unused types in a circle', 'typed_data_type_recursive', typed({ A: [], B: [{ name: 'x', type: 'C' }], C: [{ name: 'x', type: 'B' }] })], // prettier-ignore
  ['types in a circle', 'typed_data_type_recursive', typed({ A: [{ name: 'x', type: 'B' }], B: [{ name: 'x', type: 'A' }] })], // prettier-ignore
  ['seventeen types inside one another', 'typed_data_too_deep', { ...typed(chain(17)), primaryType: 'T0' }],
  ['seventeen arrays inside one another', 'typed_data_too_deep', member(`uint8${'[]'.repeat(17)}`, [])],
  ['uint without a size', 'typed_data_type_invalid', member('uint', '1')],
  ['uint7', 'typed_data_type_invalid', member('uint7', '1')],
  ['bytes33', 'typed_data_type_invalid', member('bytes33', '0x')],
  ['an array of length zero', 'typed_data_type_invalid', member('uint8[0]', [])],
  ['a struct named like an atom', 'typed_data_type_invalid', typed({ uint7: [] }, {}, 'uint7')],
  ['a type name that ends another type', 'typed_data_type_invalid', typed({ 'A(uint8 x)B': [] }, {}, 'A(uint8 x)B')],
  ['a member name with a comma', 'typed_data_type_invalid', typed({ A: [{ name: 'x,uint8 y', type: 'uint8' }] })],
  ['two members of one name', 'typed_data_type_invalid', typed({ A: [{ name: 'x', type: 'uint8' }, { name: 'x', type: 'bool' }] })], // prettier-ignore
  ['a member with a comment', 'typed_data_type_invalid', typed({ A: [{ name: 'x', type: 'uint8', comment: 'y' }] })],
  ['65 types', 'typed_data_type_invalid', { ...typed(chain(65)), primaryType: 'T0' }],
  ['a member that is not signed', 'typed_data_member_unknown', { ...mail, message: { ...mail.message, value: '1' } }],
  ['a missing member', 'typed_data_member_missing', { ...mail, message: { from: mail.message.from } }],
  ['an inherited member', 'typed_data_member_missing', typed({ A: [{ name: 'constructor', type: 'string' }] })],
  ['null for a struct', 'typed_data_value', { ...mail, message: { ...mail.message, to: null } }],
  ['an integer as a number', 'typed_data_number', member('uint256', 1)],
  ['an integer in hex', 'typed_data_value', member('uint256', '0x1')],
  ['an integer with a leading zero', 'typed_data_value', member('uint256', '01')],
  ['minus zero', 'typed_data_value', member('int8', '-0')],
  ['an empty integer', 'typed_data_value', member('uint8', '')],
  ['256 as uint8', 'typed_data_value', member('uint8', '256')],
  ['-1 as uint8', 'typed_data_value', member('uint8', '-1')],
  ['-129 as int8', 'typed_data_value', member('int8', '-129')],
  ['128 as int8', 'typed_data_value', member('int8', '128')],
  ['"false" as bool', 'typed_data_value', member('bool', 'false')],
  ['1 as bool', 'typed_data_value', member('bool', 1)],
  ['five bytes as bytes4', 'typed_data_value', member('bytes4', '0x0011223344')],
  ['half a byte', 'typed_data_value', member('bytes', '0x0')],
  ['text as bytes', 'typed_data_value', member('bytes', 'hello')],
  ['half a surrogate pair', 'typed_data_value', member('string', '\ud800')],
  ['three of two', 'typed_data_value', member('uint8[2]', ['1', '2', '3'])],
  ['an object as a list', 'typed_data_value', member('uint8[]', { 0: '1', length: 1 })],
  ['more than 64 kB', 'message_too_large', member('string', 'x'.repeat(65_536))],
])('refuses %s: %s', (_, code, typedData) => {
  expect(codeOf(() => parse(typedData))).toBe(code)
})

test('layers of types that each use the whole next layer are measured once', () => {
  const layers = Object.fromEntries(
    Array.from({ length: 60 }, (_, i) => {
      const [layer, names] = [Math.floor(i / 4), ['a', 'b', 'c', 'd']]
      return [`L${layer}${names[i % 4]}`, layer < 14 ? names.map((name) => ({ name, type: `L${layer + 1}${name}[]` })) : []] // prettier-ignore
    }),
  )
  const started = performance.now()
  expect(codeOf(() => parse(typed(layers, {}, 'L0a')))).toBe('typed_data_type_unused')
  expect(performance.now() - started).toBeLessThan(1000)
})
