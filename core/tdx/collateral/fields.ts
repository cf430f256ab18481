import { fromHex, type Json } from '../../bytes/index.js'
import { ServiceError } from '../../errors/index.js'
import { isoSeconds } from '../../x509/index.js'

type JsonObject = { [key: string]: Json }

/** Readers of members of signed JSON. Each throws `parse_failed` naming the member. */
export function objectOf(value: Json | undefined, name: string): JsonObject {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) fail(name, 'an object')
  return value
}

export function arrayOf(value: Json | undefined, name: string, max: number): Json[] {
  if (!Array.isArray(value) || value.length > max) fail(name, `an array of at most ${max}`)
  return value
}

export function stringOf(value: Json | undefined, name: string): string {
  if (typeof value !== 'string' || value.length > 256) fail(name, 'a short string')
  return value
}

export function integerOf(value: Json | undefined, name: string, max: number): number {
  if (typeof value !== 'number' || !Number.isInteger(value) || value < 0 || value > max) fail(name, 'a small integer')
  return value
}

/** Hex digits without `0x`, of an exact number of bytes. */
export function hexOf(value: Json | undefined, name: string, length: number): Uint8Array {
  if (typeof value !== 'string' || value.length !== length * 2) fail(name, `${length} bytes as hex`)
  return fromHex(`0x${value}`, length)
}

export function timeOf(value: Json | undefined, name: string): number {
  const seconds = typeof value === 'string' ? isoSeconds(value) : undefined
  if (seconds === undefined) fail(name, 'a time like 2026-11-01T00:00:00Z')
  return seconds
}

export function advisoriesOf(value: Json | undefined, name: string): string[] {
  if (value === undefined) return []
  return arrayOf(value, name, 256).map((id) => stringOf(id, name))
}

export function memberOf<T extends string>(value: Json | undefined, name: string, allowed: readonly T[]): T {
  const found = allowed.find((item) => item === value)
  if (found === undefined) fail(name, `one of ${allowed.join(', ')}`)
  return found
}

function fail(name: string, wanted: string): never {
  throw new ServiceError('parse_failed', `collateral member ${name} is not ${wanted}`, { member: name })
}
