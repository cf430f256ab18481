import { concat, keccak256 } from 'viem'
import type { TypedData, TypedMember } from '../types.js'
import { createReader } from './createReader.js'
import { refuse } from './MessageError.js'
import { checkTypes, isObject } from './typeNames.js'

const domainMembers: readonly TypedMember[] = [
  { name: 'name', type: 'string' },
  { name: 'version', type: 'string' },
  { name: 'chainId', type: 'uint256' },
  { name: 'verifyingContract', type: 'address' },
  { name: 'salt', type: 'bytes32' },
]

/**
 * Typed data as the service takes it, and its digest. Strict: what the service refuses is refused, with the same code.
 * Otherwise numbers, bigints, bytes, unused types, an unlisted `version` of the domain and JSON text are accepted too, as
 * applications send them, and written in the one form that is signed.
 */
export function parseTypedData(input: unknown, strict = false) {
  const { types: given, primaryType, domain: written, message } = membersOf(strict ? input : fromJson(input), strict)
  const { EIP712Domain: claimed, ...types } = given
  const domain = strict ? written : withoutUnlistedVersion(written, claimed)
  const domainType = domainMembers.filter(({ name }) => Object.hasOwn(domain, name))
  if (domainType.length === 0)
    refuse('typed_data_domain', 'the domain is empty: the signature would be valid everywhere')
  if (domainType.length !== Object.keys(domain).length) {
    refuse('typed_data_domain', 'the domain has a member that EIP-712 does not know')
  }
  if (claimed !== undefined && !isSameType(claimed, domainType)) {
    refuse('typed_data_domain', 'EIP712Domain is not the type of this domain: every member, in the order of EIP-712')
  }
  const structs = checkTypes(types, primaryType, !strict)
  const readDomain = createReader(new Map([['EIP712Domain', domainType]]), strict)
  const signedDomain = readDomain('EIP712Domain', domain)
  const signed = createReader(structs, strict)(primaryType, message)
  const typedData = {
    types: Object.fromEntries(structs),
    primaryType,
    domain: signedDomain.value,
    message: signed.value,
  } as TypedData
  const digest = keccak256(concat(['0x1901', signedDomain.hash, signed.hash]))
  return { typedData, digest, chainId: chainIdOf(typedData.domain) }
}

/** The same members in the same order. Within a member, the order of `name` and `type` means nothing. */
function isSameType(claimed: unknown, type: readonly TypedMember[]): boolean {
  if (!Array.isArray(claimed) || claimed.length !== type.length) return false
  return type.every(({ name, type }, index) => {
    const member: unknown = claimed[index]
    return isObject(member) && Object.keys(member).length === 2 && member.name === name && member.type === type
  })
}

/**
 * Without a `version` that EIP712Domain does not list. Applications send one for Permit2, whose domain has none; no wallet
 * signs it then, so it is not shown either. No other member is left out: the signature would be valid in more places.
 */
function withoutUnlistedVersion(domain: Record<string, unknown>, claimed: unknown): Record<string, unknown> {
  const { version: _, ...rest } = domain
  const lists = (member: unknown) => (Object(member) as { name?: unknown }).name === 'version'
  return Array.isArray(claimed) && !claimed.some(lists) ? rest : domain
}

function fromJson(input: unknown): unknown {
  if (typeof input !== 'string') return input
  try {
    return JSON.parse(input)
  } catch {
    return refuse('typed_data_invalid', 'typed data is not JSON')
  }
}

function membersOf(input: unknown, strict: boolean) {
  if (!isObject(input)) refuse('typed_data_invalid', 'typed data is an object')
  const { types, primaryType, domain, message, ...rest } = input
  if (Object.keys(rest).length > 0) {
    refuse('typed_data_invalid', 'typed data has types, primaryType, domain and message, and nothing else')
  }
  if (!isObject(types) || !isObject(domain) || !isObject(message) || typeof primaryType !== 'string') {
    refuse('typed_data_invalid', 'typed data lacks types, primaryType, domain or message')
  }
  const isThere = ([, value]: [string, unknown]) => strict || value !== undefined
  return { types, primaryType, domain: Object.fromEntries(Object.entries(domain).filter(isThere)), message }
}

function chainIdOf({ chainId }: TypedData['domain']): number | null {
  if (chainId === undefined) return null
  const number = Number(chainId)
  if (!Number.isSafeInteger(number) || number < 1) refuse('chain_not_allowed', `there is no chain ${chainId}`)
  return number
}
