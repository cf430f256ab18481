import type { TypedMember } from '../types.js'
import { refuse } from './MessageError.js'

// The rules of core/message, written again because the published package may not import core. Tests compare them.

export type StructTypes = ReadonlyMap<string, readonly TypedMember[]>

const maxDepth = 16
const identifier = /^[A-Za-z_$][A-Za-z0-9_$]{0,127}$/
const reserved = /^(?:u?int|bytes|u?fixed)[0-9x]*$|^(?:string|bool|address|byte|function|mapping|tuple|EIP712Domain)$/

/** The item type and the length (null for any) of an array type; null for all other types. */
export function arrayOf(type: string): { item: string; length: number | null } | null {
  const found = /\[([1-9][0-9]{0,8})?\]$/.exec(type)
  return found && { item: type.slice(0, found.index), length: found[1] === undefined ? null : Number(found[1]) }
}

/** The type without its brackets. */
export function baseOf(type: string): string {
  let base = type
  for (let depth = 0; depth <= maxDepth; depth++) {
    const array = arrayOf(base)
    if (!array) return base
    base = array.item
  }
  return refuse('typed_data_too_deep', `more than ${maxDepth} arrays inside one another`)
}

/** Bits of an integer, bytes of `bytesN`; 0 for the other atoms. Null for every other name: there is no `uint`. */
export function atomOf(type: string): { kind: string; size: number } | null {
  if (/^(?:bool|address|string|bytes)$/.test(type)) return { kind: type, size: 0 }
  const [, kind = '', digits = ''] = /^(uint|int|bytes)([1-9][0-9]{0,2})$/.exec(type) ?? []
  const size = Number(digits)
  if (kind === 'bytes') return size <= 32 ? { kind: 'fixed', size } : null
  return kind && size <= 256 && size % 8 === 0 ? { kind, size } : null
}

/**
 * The types without `EIP712Domain`: well formed, each used, none containing itself, `primaryType` the root. `dropUnused`
 * leaves out what is no part of the content, as applications often send it; it is not part of the hash either.
 */
export function checkTypes(types: Record<string, unknown>, primaryType: string, dropUnused: boolean): StructTypes {
  const names = Object.keys(types)
  if (names.length > 64) refuse('typed_data_type_invalid', 'more than 64 types')
  const structs = new Map(names.map((name) => [name, parseMembers(name, types[name])]))
  if (!structs.has(primaryType)) refuse('typed_data_primary_type', 'primaryType is not one of the types')
  for (const members of structs.values()) for (const { type } of members) checkKnown(type, structs)
  const depths = new Map<string, number>()
  measure(primaryType, structs, depths)
  const unused = names.filter((name) => !depths.has(name))
  for (const name of unused) measure(name, structs, depths)
  if (unused.some((name) => structs.get(name)?.some(({ type }) => baseOf(type) === primaryType))) {
    refuse('typed_data_primary_type', 'another type contains primaryType: it is not the root')
  }
  if (unused.length > 0 && !dropUnused) refuse('typed_data_type_unused', 'a type is not part of what is signed')
  for (const name of unused) structs.delete(name)
  return structs
}

function parseMembers(name: string, members: unknown): TypedMember[] {
  if (!identifier.test(name) || reserved.test(name))
    refuse('typed_data_type_invalid', `a type may not be called ${name}`)
  if (!Array.isArray(members) || members.length > 256) {
    refuse('typed_data_type_invalid', `${name} is not a list of at most 256 members`)
  }
  const parsed = members.map((member: unknown) => {
    const { name: own, type, ...rest } = (isObject(member) ? member : {}) as Record<string, unknown>
    if (typeof own !== 'string' || typeof type !== 'string' || Object.keys(rest).length > 0 || !identifier.test(own)) {
      refuse('typed_data_type_invalid', `a member of ${name} needs a name and a type, and nothing else`)
    }
    return { name: own, type }
  })
  if (new Set(parsed.map((member) => member.name)).size !== parsed.length) {
    refuse('typed_data_type_invalid', `${name} has two members of one name`)
  }
  return parsed
}

function checkKnown(type: string, structs: StructTypes): void {
  const base = baseOf(type)
  if (atomOf(base) || structs.has(base)) return
  const isStruct = identifier.test(base) && !reserved.test(base)
  refuse(isStruct ? 'typed_data_type_missing' : 'typed_data_type_invalid', `there is no type ${type}`)
}

/** How many types are inside one another in `name`, kept in `depths`. It is 0 while a type is being measured. */
function measure(name: string, structs: StructTypes, depths: Map<string, number>): number {
  const known = depths.get(name)
  if (known === 0) refuse('typed_data_type_recursive', `${name} contains itself`)
  if (known !== undefined) return known
  depths.set(name, 0)
  let deepest = 0
  for (const { type } of structs.get(name) ?? []) {
    const base = baseOf(type)
    if (structs.has(base)) deepest = Math.max(deepest, measure(base, structs, depths))
  }
  if (deepest >= maxDepth) refuse('typed_data_too_deep', `more than ${maxDepth} types inside one another`)
  depths.set(name, deepest + 1)
  return deepest + 1
}

export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
