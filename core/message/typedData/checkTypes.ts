import type { StructTypes, TypedMember } from './TypedData.js'
import { atomOf, baseOf, isIdentifier, isObject, isStructName, maxTypedDepth, refuse } from './typeNames.js'

const maxTypes = 64
const maxMembers = 256

/**
 * Takes the member `types` without `EIP712Domain` and returns it, or throws. Every type is well formed, each is used,
 * none contains itself, and `primaryType` is the root.
 */
export function checkTypes(types: Record<string, unknown>, primaryType: string): StructTypes {
  const names = Object.keys(types)
  if (names.length > maxTypes) refuse('typed_data_type_invalid', `more than ${maxTypes} types`)
  const structs = new Map(names.map((name) => [name, parseMembers(name, types[name])]))
  if (!structs.has(primaryType)) refuse('typed_data_primary_type', 'primaryType is not one of the types')
  for (const members of structs.values()) for (const { type } of members) checkKnown(type, structs)
  const depths = new Map<string, number>()
  measure(primaryType, structs, depths)
  const unused = names.filter((name) => !depths.has(name))
  for (const name of unused) measure(name, structs, depths)
  if (unused.some((name) => refersTo(structs.get(name) ?? [], primaryType))) {
    refuse('typed_data_primary_type', 'another type contains primaryType: it is not the root')
  }
  if (unused.length > 0) refuse('typed_data_type_unused', 'a type is not part of what is signed')
  return structs
}

function parseMembers(name: string, members: unknown): TypedMember[] {
  if (!isStructName(name)) refuse('typed_data_type_invalid', 'a type has a name that is not allowed')
  if (!Array.isArray(members) || members.length > maxMembers) {
    refuse('typed_data_type_invalid', `a type is a list of at most ${maxMembers} members`)
  }
  const parsed = members.map(parseMember)
  if (new Set(parsed.map((member) => member.name)).size !== parsed.length) {
    refuse('typed_data_type_invalid', 'a type has two members of one name')
  }
  return parsed
}

function parseMember(member: unknown): TypedMember {
  const { name, type, ...rest }: Record<string, unknown> = isObject(member) ? member : {}
  if (typeof name !== 'string' || typeof type !== 'string' || Object.keys(rest).length > 0) {
    refuse('typed_data_type_invalid', 'a member of a type has a name, a type and nothing else')
  }
  if (!isIdentifier(name)) refuse('typed_data_type_invalid', 'a member has a name that is not allowed')
  return { name, type }
}

function checkKnown(type: string, structs: StructTypes): void {
  const base = baseOf(type)
  if (atomOf(base) || structs.has(base)) return
  refuse(isStructName(base) ? 'typed_data_type_missing' : 'typed_data_type_invalid', 'a member has an unknown type')
}

/** How many types are inside one another in `name`, kept in `depths`. It is 0 while a type is being measured. */
function measure(name: string, structs: StructTypes, depths: Map<string, number>): number {
  const known = depths.get(name)
  if (known === 0) refuse('typed_data_type_recursive', 'a type contains itself')
  if (known !== undefined) return known
  depths.set(name, 0)
  let deepest = 0
  for (const { type } of structs.get(name) ?? []) {
    const base = baseOf(type)
    if (structs.has(base)) deepest = Math.max(deepest, measure(base, structs, depths))
  }
  if (deepest >= maxTypedDepth) refuse('typed_data_too_deep', `more than ${maxTypedDepth} types inside one another`)
  depths.set(name, deepest + 1)
  return deepest + 1
}

const refersTo = (members: readonly TypedMember[], name: string) => members.some(({ type }) => baseOf(type) === name)
