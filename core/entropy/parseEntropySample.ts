import { ServiceError } from '../errors/index.js'
import type { Hex } from '../bytes/index.js'
import { provenanceLevels, type EntropyProvenance, type EntropySample } from './EntropySample.js'

const sampleFields = [
  'version',
  'source',
  'provenance',
  'value',
  'producedAt',
  'receivedAt',
  'sequence',
  'signature',
  'beacon',
]
const limits = { source: 64, keyId: 128, name: 128, cid: 128, record: 16_384, block: 65_536 }
const hex32 = /^0x[0-9a-f]{64}$/
const hex64 = /^0x[0-9a-f]{128}$/
const decimal = /^(?:0|[1-9][0-9]{0,19})$/
const base64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/
const printable = /^[\x21-\x7e]+$/

/**
 * A sample from untrusted JSON: exactly the known fields, each in its one canonical form (lower-case hex, no leading
 * zeros), because two spellings of one sample would be two witness hashes. Throws `entropy_invalid`. Proves nothing yet.
 */
export function parseEntropySample(input: unknown): EntropySample {
  const o = record(input, 'sample', sampleFields)
  if (o.version !== 1) fail('version')
  const provenance = provenanceLevels.find((level) => level === o.provenance)
  return {
    version: 1,
    source: text(o.source, 'source', printable, limits.source),
    provenance: provenance ?? fail('provenance'),
    value: text(o.value, 'value', hex32, 66) as Hex,
    producedAt: o.producedAt === null ? null : seconds(o.producedAt, 'producedAt'),
    receivedAt: seconds(o.receivedAt, 'receivedAt'),
    sequence: o.sequence === null ? null : counter(o.sequence),
    signature: o.signature === null ? null : parseSignature(o.signature),
    beacon: o.beacon === null ? null : parseBeacon(o.beacon),
  } satisfies EntropySample & { provenance: EntropyProvenance }
}

function parseSignature(input: unknown): EntropySample['signature'] {
  const o = record(input, 'signature', ['algorithm', 'keyId', 'value'])
  if (o.algorithm !== 'ed25519' && o.algorithm !== 'ecdsa-p256-sha256') return fail('signature.algorithm')
  return {
    algorithm: o.algorithm,
    keyId: text(o.keyId, 'signature.keyId', printable, limits.keyId),
    value: text(o.value, 'signature.value', hex64, 130) as Hex,
  }
}

function parseBeacon(input: unknown): EntropySample['beacon'] {
  const o = record(input, 'beacon', ['name', 'record', 'cid', 'block', 'index'])
  if (typeof o.index !== 'number' || !Number.isInteger(o.index) || o.index < 0 || o.index > 255) fail('beacon.index')
  return {
    name: text(o.name, 'beacon.name', printable, limits.name),
    record: text(o.record, 'beacon.record', base64, limits.record),
    cid: text(o.cid, 'beacon.cid', printable, limits.cid),
    block: text(o.block, 'beacon.block', base64, limits.block),
    index: o.index as number,
  }
}

function record(input: unknown, name: string, fields: readonly string[]): Record<string, unknown> {
  if (typeof input !== 'object' || input === null || Array.isArray(input)) return fail(name)
  const keys = Object.keys(input)
  const unknown = keys.find((key) => !fields.includes(key))
  if (unknown !== undefined || keys.length !== fields.length) {
    throw new ServiceError('entropy_invalid', `${name} must have exactly the fields ${fields.join(', ')}`)
  }
  return input as Record<string, unknown>
}

function text(input: unknown, name: string, pattern: RegExp, maximum: number): string {
  if (typeof input !== 'string' || input.length > maximum || !pattern.test(input)) return fail(name)
  return input
}

function seconds(input: unknown, name: string): number {
  if (typeof input !== 'number' || !Number.isSafeInteger(input) || input < 0) return fail(name)
  return input
}

function counter(input: unknown): string {
  const value = text(input, 'sequence', decimal, 20)
  return BigInt(value) < 1n << 64n ? value : fail('sequence')
}

function fail(field: string): never {
  throw new ServiceError('entropy_invalid', `entropy sample: ${field} is missing or malformed`, { field })
}
