import { ServiceError } from '../errors/index.js'
import type { Hex, UnixSeconds } from '../bytes/index.js'

export interface BeaconBlock {
  sequence: string
  producedAt: UnixSeconds
  values: Hex[]
}

/** The beacon's block: `{ previous, data: { sequence, timestamp, ctrng: [hex, …] } }`. Throws `entropy_invalid`. */
export function parseBeaconBlock(bytes: Uint8Array): BeaconBlock {
  const data = (readJson(bytes) as { data?: unknown } | null)?.data
  if (typeof data !== 'object' || data === null) throw invalid('it has no data')
  const { sequence, timestamp, ctrng } = data as Record<string, unknown>
  if (!isCount(sequence) || !isCount(timestamp)) throw invalid('sequence or timestamp is not a whole number')
  if (!Array.isArray(ctrng) || ctrng.length === 0 || ctrng.length > 256) throw invalid('it has no values')
  const values = ctrng.map((value: unknown) => {
    if (typeof value !== 'string' || !/^[0-9a-fA-F]{64}$/.test(value)) throw invalid('a value is not 32 bytes of hex')
    return `0x${value.toLowerCase()}` as Hex
  })
  return { sequence: String(sequence), producedAt: timestamp, values }
}

function isCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0
}

function readJson(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
  } catch (cause) {
    throw invalid('it is not JSON', cause)
  }
}

const invalid = (why: string, cause?: unknown): ServiceError =>
  new ServiceError('entropy_invalid', `the beacon block cannot be read: ${why}`, {}, cause)
