import { ServiceError } from '../errors/index.js'
import type { Json } from './canonicalJson.js'

export interface StrictJsonOptions {
  /** Characters. */
  maxLength?: number
  /** Objects and arrays inside one another. */
  maxDepth?: number
  /** Member names that are not allowed anywhere. */
  refusedNames?: readonly string[]
  /** Accepts every number and string that `JSON.parse` does, also those that other programs may read differently. */
  anyScalar?: boolean
}

const token = /"[^"\\]*(?:\\.[^"\\]*)*"|[{}[\],]|-?\d[\d.eE+-]*/g
const longNumber = /\d{17}|[eE][+-]?\d{4}/
const rareControl = /[\x7f-\x9f]/

/**
 * Parses JSON and refuses a member named twice and deep nesting, with `parse_failed`.
 * `JSON.parse` keeps the last of two equal members, other programs the first: one text, two meanings.
 */
export function parseStrictJson(text: unknown, options: StrictJsonOptions = {}): Json {
  const { maxLength = 1024 * 1024 } = options
  if (typeof text !== 'string' || text.length > maxLength) fail(`JSON text of at most ${maxLength} characters expected`)
  let value: Json
  try {
    value = JSON.parse(text) as Json
  } catch {
    fail('not valid JSON')
  }
  checkTokens(text, options)
  return value
}

/** Walks the tokens of a text that is known to be JSON. Escapes in names are decoded first: "\u0061" is "a". */
function checkTokens(text: string, { maxDepth = 32, refusedNames = [], anyScalar = false }: StrictJsonOptions): void {
  const open: (Set<string> | null)[] = [] // the names seen in each open object; null for an array
  let isName = false
  for (const [part] of text.matchAll(token)) {
    if (part === '{' || part === '[') {
      if (open.length >= maxDepth) fail('JSON nested too deeply')
      open.push(part === '{' ? new Set() : null)
      isName = part === '{'
    } else if (part === '}' || part === ']') {
      open.pop()
      isName = false
    } else if (part === ',') {
      isName = open.at(-1) !== null
    } else {
      const doubtful = part.startsWith('"') ? rareControl : longNumber
      if (!anyScalar && doubtful.test(part)) fail('JSON number too long, or a control character in a string')
      if (isName) addName(JSON.parse(part) as string, open.at(-1) as Set<string>, refusedNames)
      isName = false
    }
  }
}

function addName(name: string, seen: Set<string>, refused: readonly string[]): void {
  if (seen.has(name)) fail('JSON member named twice')
  if (refused.includes(name)) fail('JSON member that is not allowed')
  seen.add(name)
}

function fail(message: string): never {
  throw new ServiceError('parse_failed', message)
}
