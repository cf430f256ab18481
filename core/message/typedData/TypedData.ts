import type { Hex } from '../../bytes/index.js'

/** One member of a struct type. */
export interface TypedMember {
  name: string
  type: string
}

/** The domain of EIP-712. At least one member; its type follows from which members are there. */
export interface TypedDomain {
  name?: string
  version?: string
  /** Decimal. */
  chainId?: string
  verifyingContract?: Hex
  salt?: Hex
}

/**
 * EIP-712 typed data with one spelling per meaning: integers are decimal strings, bytes and addresses hex, booleans JSON
 * booleans. Nothing may be there that is not signed.
 */
export interface TypedData {
  types: Record<string, TypedMember[]>
  primaryType: string
  domain: TypedDomain
  message: Record<string, unknown>
}

/** The types without `EIP712Domain`. A Map, so that no name of a caller meets JavaScript's own. */
export type StructTypes = ReadonlyMap<string, readonly TypedMember[]>
