import { bytesToHex, concat, isAddress, keccak256, numberToHex, padHex, stringToHex } from 'viem'
import type { Hex, TypedMember } from '../types.js'
import { refuse } from './MessageError.js'
import { arrayOf, atomOf, baseOf, isObject, type StructTypes } from './typeNames.js'

/** A value in the one form that is signed, and what EIP-712 hashes for it: 32 bytes. */
interface Read {
  value: unknown
  hash: Hex
}

/** Reads values of these types, which must have passed `checkTypes`. Every refusal has a code. */
export function createReader(structs: StructTypes, strict: boolean) {
  function readStruct(name: string, value: unknown): Read {
    const members = structs.get(name) as readonly TypedMember[]
    if (!isObject(value)) refuse('typed_data_value', `an object is expected for a ${name}`)
    const stranger = Object.keys(value).find((key) => !members.some((member) => member.name === key))
    if (stranger !== undefined) refuse('typed_data_member_unknown', `${name} has no member ${stranger}`)
    const read = members.map((member) => {
      if (!Object.hasOwn(value, member.name)) refuse('typed_data_member_missing', `a ${name} lacks ${member.name}`)
      return { name: member.name, ...readValue(member.type, value[member.name]) }
    })
    return {
      value: Object.fromEntries(read.map((member) => [member.name, member.value])),
      hash: keccak256(concat([keccak256(stringToHex(encodeType(name, structs))), ...read.map(({ hash }) => hash)])),
    }
  }

  function readValue(type: string, value: unknown): Read {
    const array = arrayOf(type)
    if (!array) return atomOf(type) ? readAtom(type, value, strict) : readStruct(type, value)
    if (!Array.isArray(value)) refuse('typed_data_value', `a list is expected for ${type}`)
    if (array.length !== null && value.length !== array.length) {
      refuse('typed_data_value', `${type} has another length`)
    }
    const items = value.map((item: unknown) => readValue(array.item, item))
    return { value: items.map((item) => item.value), hash: keccak256(concat(items.map(({ hash }) => hash))) }
  }

  return readStruct
}

/** `encodeType` of EIP-712: the struct itself, then all that it refers to, by name. */
function encodeType(name: string, structs: StructTypes): string {
  const found = new Set([name])
  for (const struct of found) {
    for (const { type } of structs.get(struct) ?? []) if (structs.has(baseOf(type))) found.add(baseOf(type))
  }
  found.delete(name)
  const print = (struct: string) =>
    `${struct}(${(structs.get(struct) ?? []).map((member) => `${member.type} ${member.name}`).join(',')})`
  return [name, ...[...found].sort()].map(print).join('')
}

function readAtom(type: string, given: unknown, strict: boolean): Read {
  const { kind, size } = atomOf(type) as { kind: string; size: number }
  if (kind === 'bool') {
    if (typeof given !== 'boolean') refuse('typed_data_value', 'true or false is expected for bool')
    return { value: given, hash: numberToHex(given ? 1 : 0, { size: 32 }) }
  }
  const isInteger = kind === 'uint' || kind === 'int'
  const value = strict ? given : written(given, isInteger)
  if (typeof value === 'number') refuse('typed_data_number', `write the ${type} as a string: it is not exact`)
  if (typeof value !== 'string') refuse('typed_data_value', `a string is expected for ${type}`)
  if (isInteger) return { value, hash: readInteger(type, kind, size, value) }
  if (kind === 'string') {
    if (!isWellFormed(value)) refuse('typed_data_value', 'a string contains half a surrogate pair')
    return { value, hash: keccak256(stringToHex(value)) }
  }
  if (kind === 'address') {
    if (!isSpelledAddress(value)) refuse('typed_data_value', `${value} is not an address, or its checksum is wrong`)
    return { value, hash: padHex(value.toLowerCase() as Hex, { size: 32 }) }
  }
  if (!/^0x(?:[0-9a-fA-F]{2})*$/.test(value)) {
    refuse('typed_data_value', `hex with 0x and whole bytes is expected for ${type}`)
  }
  if (kind === 'bytes') return { value, hash: keccak256(value as Hex) }
  if (value.length !== 2 + size * 2) refuse('typed_data_value', `${type} has ${size} bytes`)
  return { value, hash: padHex(value as Hex, { size: 32, dir: 'right' }) }
}

/** Exact integers and bytes as strings; everything else as it is. */
function written(value: unknown, isInteger: boolean): unknown {
  if (value instanceof Uint8Array) return bytesToHex(value)
  if (!isInteger) return value
  if (typeof value === 'bigint' || Number.isSafeInteger(value)) return String(value)
  return typeof value === 'string' && /^(?:0x[0-9a-f]+|-?\d+)$/i.test(value) ? String(BigInt(value)) : value
}

function readInteger(type: string, kind: string, bits: number, text: string): Hex {
  if (!/^(?:0|-?[1-9][0-9]{0,77})$/.test(text)) refuse('typed_data_value', `a decimal string is expected for ${type}`)
  const value = BigInt(text)
  const limit = 1n << BigInt(kind === 'uint' ? bits : bits - 1)
  if (value >= limit || value < (kind === 'uint' ? 0n : -limit)) {
    refuse('typed_data_value', `${text} is out of the range of ${type}`)
  }
  return numberToHex(BigInt.asUintN(256, value), { size: 32 })
}

/** In one case, or in mixed case with the right checksum: a wrong one is a typing error. */
function isSpelledAddress(text: string): boolean {
  if (!/^0x[0-9a-fA-F]{40}$/.test(text)) return false
  const digits = text.slice(2)
  return digits === digits.toUpperCase() || isAddress(text)
}

const isWellFormed = (text: string) => !/\p{Surrogate}/u.test(text)
