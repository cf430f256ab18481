import { ServiceError } from '../errors/index.js'
import type { Json } from './canonicalJson.js'

const maxDepth = 32
const numberPattern = /-?(?:0|[1-9]\d{0,15})(?:\.\d{1,16})?(?:[eE][+-]?\d{1,3})?/y
const stringPattern = /"[^"\\\p{Cc}]*(?:\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})[^"\\\p{Cc}]*)*"/uy
const spacePattern = /[ \t\r\n]*/y

/**
 * Parses JSON and refuses a member named twice, depth beyond 32 and anything after the value, with `parse_failed`.
 * `JSON.parse` keeps the last of two equal members, other programs the first: one text, two meanings.
 */
export function parseStrictJson(text: unknown, maxLength = 1024 * 1024): Json {
  if (typeof text !== 'string' || text.length > maxLength) fail(`JSON text of at most ${maxLength} characters expected`)
  const scanner = new Scanner(text)
  const value = scanner.value(0)
  scanner.finish()
  return value
}

class Scanner {
  private at = 0
  constructor(private readonly text: string) {}

  value(depth: number): Json {
    if (depth > maxDepth) fail('JSON nested too deeply')
    this.space()
    const next = this.text[this.at]
    if (next === '{') return this.object(depth)
    if (next === '[') return this.array(depth)
    if (next === '"') return this.string()
    if (this.text.startsWith('true', this.at)) return this.literal('true', true)
    if (this.text.startsWith('false', this.at)) return this.literal('false', false)
    if (this.text.startsWith('null', this.at)) return this.literal('null', null)
    return Number(this.match(numberPattern))
  }

  finish(): void {
    this.space()
    if (this.at !== this.text.length) fail('text after the JSON value')
  }

  private object(depth: number): Json {
    const entries = new Map<string, Json>()
    this.at++
    this.space()
    if (this.take('}')) return {}
    do {
      this.space()
      const key = this.string()
      if (entries.has(key)) fail('JSON member named twice')
      this.space()
      if (!this.take(':')) fail('JSON member without a value')
      entries.set(key, this.value(depth + 1))
      this.space()
    } while (this.take(','))
    if (!this.take('}')) fail('JSON object not closed')
    return Object.fromEntries(entries) // defines own members, so `__proto__` is only a name
  }

  private array(depth: number): Json {
    const items: Json[] = []
    this.at++
    this.space()
    if (this.take(']')) return items
    do {
      items.push(this.value(depth + 1))
      this.space()
    } while (this.take(','))
    if (!this.take(']')) fail('JSON array not closed')
    return items
  }

  private string(): string {
    return JSON.parse(this.match(stringPattern)) as string
  }

  private literal<T>(word: string, value: T): T {
    this.at += word.length
    return value
  }

  private take(character: string): boolean {
    if (this.text[this.at] !== character) return false
    this.at++
    return true
  }

  private space(): void {
    spacePattern.lastIndex = this.at
    spacePattern.exec(this.text)
    this.at = spacePattern.lastIndex
  }

  private match(pattern: RegExp): string {
    pattern.lastIndex = this.at
    const found = pattern.exec(this.text)
    if (!found) fail('not JSON')
    this.at = pattern.lastIndex
    return found[0]
  }
}

function fail(message: string): never {
  throw new ServiceError('parse_failed', message)
}
