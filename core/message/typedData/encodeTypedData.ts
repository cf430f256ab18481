import { keccak_256 } from '@noble/hashes/sha3'
import { concatBytes, fromHex } from '../../bytes/index.js'
import { isAddress } from '../checksum.js'
import type { StructTypes, TypedMember } from './TypedData.js'
import { arrayOf, atomOf, baseOf, isObject, refuse, type Atom } from './typeNames.js'

const decimal = /^(?:0|-?[1-9][0-9]{0,77})$/
const hexBytes = /^0x(?:[0-9a-fA-F]{2})*$/
const utf8 = (text: string) => new TextEncoder().encode(text)

/** `encodeType` of EIP-712: the struct itself, then all that it refers to, by name. */
export function encodeType(name: string, structs: StructTypes): string {
  const found = new Set<string>()
  const collect = (struct: string) => {
    if (found.has(struct) || !structs.has(struct)) return
    found.add(struct)
    for (const { type } of structs.get(struct) ?? []) collect(baseOf(type))
  }
  collect(name)
  found.delete(name)
  const print = (struct: string) =>
    `${struct}(${(structs.get(struct) ?? []).map((member) => `${member.type} ${member.name}`).join(',')})`
  return [name, ...[...found].sort()].map(print).join('')
}

/** `hashStruct` of EIP-712 for values of these types. The types must have passed `checkTypes`. */
export function createStructHasher(structs: StructTypes) {
  const typeHashes = new Map<string, Uint8Array>()

  function typeHash(name: string): Uint8Array {
    const hash = typeHashes.get(name) ?? keccak_256(utf8(encodeType(name, structs)))
    typeHashes.set(name, hash)
    return hash
  }

  function hashStruct(name: string, value: unknown): Uint8Array {
    const members = structs.get(name) as readonly TypedMember[]
    if (!isObject(value)) refuse('typed_data_value', `an object is expected for a ${name}`)
    const stranger = Object.keys(value).some((key) => !members.some((member) => member.name === key))
    if (stranger) refuse('typed_data_member_unknown', `a ${name} has a member that is not signed`)
    const encoded = members.map((member) => {
      if (!Object.hasOwn(value, member.name)) refuse('typed_data_member_missing', `a ${name} lacks ${member.name}`)
      return encodeValue(member.type, value[member.name])
    })
    return keccak_256(concatBytes(typeHash(name), ...encoded))
  }

  /** 32 bytes. */
  function encodeValue(type: string, value: unknown): Uint8Array {
    const array = arrayOf(type)
    if (array) {
      if (!Array.isArray(value)) refuse('typed_data_value', `a list is expected for ${type}`)
      if (array.length !== null && value.length !== array.length)
        refuse('typed_data_value', `${type} has another length`)
      return keccak_256(concatBytes(...value.map((item) => encodeValue(array.item, item))))
    }
    const atom = atomOf(type)
    return atom ? encodeAtom(type, atom, value) : hashStruct(type, value)
  }

  return hashStruct
}

function encodeAtom(type: string, { kind, size }: Atom, value: unknown): Uint8Array {
  if (kind === 'bool') {
    if (typeof value !== 'boolean') refuse('typed_data_value', 'true or false is expected for bool')
    return word(value ? 1n : 0n)
  }
  if (typeof value === 'number')
    refuse('typed_data_number', `write the ${type} as a string: JSON numbers are not exact`)
  if (typeof value !== 'string') refuse('typed_data_value', `a string is expected for ${type}`)
  if (kind === 'uint' || kind === 'int') return word(parseInteger(type, kind, size, value))
  if (kind === 'string') {
    if (!value.isWellFormed()) refuse('typed_data_value', 'a string contains half a surrogate pair')
    return keccak_256(utf8(value))
  }
  if (kind === 'address') {
    if (!isAddress(value)) refuse('typed_data_value', 'not an address, or its checksum is wrong')
    return word(BigInt(value))
  }
  if (!hexBytes.test(value)) refuse('typed_data_value', `hex with 0x and whole bytes is expected for ${type}`)
  const bytes = fromHex(value)
  if (kind === 'bytes') return keccak_256(bytes)
  if (bytes.length !== size) refuse('typed_data_value', `${type} has ${size} bytes`)
  return concatBytes(bytes, new Uint8Array(32 - size))
}

function parseInteger(type: string, kind: 'uint' | 'int', bits: number, text: string): bigint {
  if (!decimal.test(text)) refuse('typed_data_value', `a decimal string is expected for ${type}`)
  const value = BigInt(text)
  const limit = 1n << BigInt(kind === 'uint' ? bits : bits - 1)
  if (value >= limit || value < (kind === 'uint' ? 0n : -limit))
    refuse('typed_data_value', `out of the range of ${type}`)
  return value
}

/** 32 bytes, big-endian, two's complement. */
function word(value: bigint): Uint8Array {
  return fromHex(`0x${BigInt.asUintN(256, value).toString(16).padStart(64, '0')}`, 32)
}
