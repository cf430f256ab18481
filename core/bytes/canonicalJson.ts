import { ServiceError } from '../errors/index.js'

export type Json = null | boolean | number | string | Json[] | { [key: string]: Json }

/**
 * RFC 8785 text of a value made of objects, arrays, strings, safe integers, booleans and null.
 * Other numbers are refused: two programs may print a fraction differently, and then the CID differs.
 */
export function canonicalJson(value: unknown): string {
  return print(value, 0)
}

const maxDepth = 64

function print(value: unknown, depth: number): string {
  if (depth > maxDepth) throw new ServiceError('parse_failed', `JSON is nested deeper than ${maxDepth} levels`)
  if (value === null || typeof value === 'boolean') return String(value)
  if (typeof value === 'string') {
    if (!value.isWellFormed()) throw new ServiceError('parse_failed', 'JSON string contains half a surrogate pair')
    return JSON.stringify(value)
  }
  if (typeof value === 'number') {
    if (!Number.isSafeInteger(value) || Object.is(value, -0)) {
      throw new ServiceError('parse_failed', 'canonical JSON takes safe integers only')
    }
    return String(value)
  }
  if (Array.isArray(value)) return `[${value.map((item) => print(item, depth + 1)).join(',')}]`
  if (typeof value === 'object' && Object.getPrototypeOf(value) === Object.prototype) {
    // RFC 8785 section 3.2.3: member names in the order of their UTF-16 code units, which is what sort() does.
    const members = Object.keys(value)
      .sort()
      .map((key) => `${print(key, depth + 1)}:${print((value as Record<string, unknown>)[key], depth + 1)}`)
    return `{${members.join(',')}}`
  }
  throw new ServiceError('parse_failed', `canonical JSON cannot hold a ${typeof value}`)
}
