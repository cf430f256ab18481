import { keccak_256 } from '@noble/hashes/sha3'
import { concatBytes, toHex, type Hex } from '../../bytes/index.js'
import { ServiceError } from '../../errors/index.js'
import { checkTypes } from './checkTypes.js'
import { createStructHasher } from './encodeTypedData.js'
import type { TypedData, TypedMember } from './TypedData.js'
import { isObject, refuse } from './typeNames.js'

/** In the order of EIP-712. */
const domainMembers: readonly TypedMember[] = [
  { name: 'name', type: 'string' },
  { name: 'version', type: 'string' },
  { name: 'chainId', type: 'uint256' },
  { name: 'verifyingContract', type: 'address' },
  { name: 'salt', type: 'bytes32' },
]

export interface ParsedTypedData {
  typedData: TypedData
  /** keccak256(0x19 0x01 || domain separator || hash of the message). */
  digest: Hex
  /** Of the domain; null where it has none. */
  chainId: number | null
}

/**
 * Takes anything; returns typed data and its digest, or throws one of the `typed_data_*` codes. All that is in it is
 * signed: whatever would be shown to a person but not hashed is refused.
 */
export function parseTypedData(input: unknown): ParsedTypedData {
  const { types: given, primaryType, domain, message } = members(input)
  const { EIP712Domain: claimed, ...types } = given
  const domainType = deriveDomainType(domain)
  if (claimed !== undefined && !isSameType(claimed, domainType)) {
    refuse('typed_data_domain', 'EIP712Domain is not the type of this domain: every member, in the order of EIP-712')
  }
  const structs = checkTypes(types, primaryType)
  const separator = createStructHasher(new Map([['EIP712Domain', domainType]]))('EIP712Domain', domain)
  const hash = createStructHasher(structs)(primaryType, message)
  return {
    typedData: { types: types as TypedData['types'], primaryType, domain: domain as TypedData['domain'], message },
    digest: toHex(keccak_256(concatBytes(Uint8Array.of(0x19, 0x01), separator, hash))),
    chainId: domain.chainId === undefined ? null : parseChainId(domain.chainId as string),
  }
}

function members(input: unknown) {
  if (!isObject(input)) refuse('typed_data_invalid', 'typed data is an object')
  const { types, primaryType, domain, message, ...rest } = input
  if (Object.keys(rest).length > 0)
    refuse('typed_data_invalid', 'typed data has types, primaryType, domain and message')
  if (!isObject(types) || !isObject(domain) || !isObject(message) || typeof primaryType !== 'string') {
    refuse('typed_data_invalid', 'typed data lacks types, primaryType, domain or message')
  }
  return { types, primaryType, domain, message }
}

/** Which members the domain has decides its type, so that nothing in a domain can be left unsigned. */
function deriveDomainType(domain: Record<string, unknown>): TypedMember[] {
  const type = domainMembers.filter(({ name }) => Object.hasOwn(domain, name))
  if (type.length === 0) refuse('typed_data_domain', 'the domain is empty: the signature would be valid everywhere')
  if (type.length !== Object.keys(domain).length) refuse('typed_data_domain', 'the domain has an unknown member')
  return type
}

/** The same members in the same order. Within a member, the order of `name` and `type` means nothing. */
function isSameType(claimed: unknown, type: readonly TypedMember[]): boolean {
  if (!Array.isArray(claimed) || claimed.length !== type.length) return false
  return type.every(({ name, type }, index) => {
    const member: unknown = claimed[index]
    return isObject(member) && Object.keys(member).length === 2 && member.name === name && member.type === type
  })
}

function parseChainId(text: string): number {
  const chainId = Number(text)
  if (!Number.isSafeInteger(chainId) || chainId < 1) {
    throw new ServiceError('chain_not_allowed', 'not the number of a chain', { chainId: text })
  }
  return chainId
}
