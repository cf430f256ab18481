import { ServiceError, type ErrorCode } from '../../errors/index.js'

/** Structs and arrays inside one another. Real typed data stays below six. */
export const maxTypedDepth = 16

const identifier = /^[A-Za-z_$][A-Za-z0-9_$]{0,127}$/
const arraySuffix = /\[([1-9][0-9]{0,8})?\]$/
/** What Solidity reserves for types of its own. A struct by such a name would hide what is signed. */
const reserved = /^(?:u?int|bytes|u?fixed)[0-9x]*$|^(?:string|bool|address|byte|function|mapping|tuple|EIP712Domain)$/

/** A name that a struct or a member may have. */
export const isIdentifier = (name: string): boolean => identifier.test(name)
export const isStructName = (name: string): boolean => identifier.test(name) && !reserved.test(name)

/** The item type and the length (null for any) of an array type; null for all other types. The last brackets are the outermost. */
export function arrayOf(type: string): { item: string; length: number | null } | null {
  const found = arraySuffix.exec(type)
  if (!found) return null
  return { item: type.slice(0, found.index), length: found[1] === undefined ? null : Number(found[1]) }
}

/** The type without its brackets. Throws `typed_data_too_deep` for more brackets than any real type has. */
export function baseOf(type: string): string {
  let base = type
  for (let depth = 0; depth <= maxTypedDepth; depth++) {
    const array = arrayOf(base)
    if (!array) return base
    base = array.item
  }
  refuse('typed_data_too_deep', `more than ${maxTypedDepth} arrays inside one another`)
}

/** `{ kind, size }` of an atomic or dynamic type of EIP-712; null for any other name. There is no `uint` and no `int`. */
export function atomOf(type: string): Atom | null {
  if (type === 'bool' || type === 'address' || type === 'string' || type === 'bytes') return { kind: type, size: 0 }
  const found = /^(uint|int|bytes)([1-9][0-9]{0,2})$/.exec(type)
  if (!found) return null
  const [kind, size] = [found[1] as 'uint' | 'int' | 'bytes', Number(found[2])]
  if (kind === 'bytes') return size <= 32 ? { kind: 'fixed', size } : null
  return size <= 256 && size % 8 === 0 ? { kind, size } : null
}

export interface Atom {
  kind: 'bool' | 'address' | 'string' | 'bytes' | 'fixed' | 'uint' | 'int'
  /** Bits of an integer, bytes of `bytesN`; 0 for the others. */
  size: number
}

export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

export function refuse(code: ErrorCode, message: string): never {
  throw new ServiceError(code, message)
}
