import { ServiceError } from '@perigee/core'

const token = /"(?:[^"\\]|\\.)*"|[{}[\],]/g

/**
 * JSON.parse that also refuses duplicate keys and deep nesting. Two readers of one body must not see different
 * transactions: JSON.parse keeps the last of two equal keys, other parsers the first.
 */
export function parseStrictJson(text: string, maxDepth = 16): unknown {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    throw new ServiceError('invalid_request', 'the body is not valid JSON')
  }
  refuseDuplicates(text, maxDepth)
  return value
}

/** Walks the tokens of a text that is known to be JSON. Escapes in keys are decoded first: "\u0061" is "a". */
function refuseDuplicates(text: string, maxDepth: number): void {
  const open: (Set<string> | null)[] = []
  let keyNext = false
  for (const [part] of text.matchAll(token)) {
    if (part === '{' || part === '[') {
      if (open.length >= maxDepth) throw new ServiceError('invalid_request', 'the body is nested too deeply')
      open.push(part === '{' ? new Set() : null)
      keyNext = part === '{'
    } else if (part === '}' || part === ']') {
      open.pop()
      keyNext = false
    } else if (part === ',') {
      keyNext = open.at(-1) !== null
    } else if (keyNext) {
      const key = JSON.parse(part) as string
      const keys = open.at(-1) as Set<string>
      if (keys.has(key)) throw new ServiceError('invalid_request', 'the body has the same key twice')
      if (key === '__proto__') throw new ServiceError('invalid_request', 'the body has a field that is not allowed')
      keys.add(key)
      keyNext = false
    }
  }
}
