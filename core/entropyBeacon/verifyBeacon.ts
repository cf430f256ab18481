import { decodeBase64, verifyCid, type Hex, type UnixSeconds } from '../bytes/index.js'
import type { BeaconFinding, EntropySample } from '../entropy/index.js'
import { ServiceError, withCode } from '../errors/index.js'
import { verifyIpnsRecord } from './verifyIpnsRecord.js'

/**
 * Checks the whole chain: pinned name, key, signed record, CID, block bytes, value. It proves that the holder of the
 * beacon's key published this value under this name. It does not prove that a satellite made it, or that it was secret.
 */
export async function verifyBeacon(
  evidence: NonNullable<EntropySample['beacon']>,
  now: UnixSeconds,
): Promise<BeaconFinding> {
  const path = await verifyIpnsRecord(evidence.name, fromBase64(evidence.record), now)
  if (path !== `/ipfs/${evidence.cid}`) throw invalid('the IPNS record points to another block')
  const bytes = fromBase64(evidence.block)
  verifyBlock(evidence.cid, bytes)
  const { values, producedAt, sequence } = parseBeaconBlock(bytes)
  const value = values[evidence.index]
  if (value === undefined) throw invalid('the block has no value at this index')
  return { value, producedAt, sequence }
}

function verifyBlock(cid: string, bytes: Uint8Array): void {
  try {
    verifyCid(cid, bytes)
  } catch (cause) {
    throw invalid('the block does not hash to its CID', cause)
  }
}

const fromBase64 = (text: string): Uint8Array =>
  withCode('entropy_invalid', 'evidence is not base64', () => decodeBase64(text))

/** The beacon's block: `{ previous, data: { sequence, timestamp, ctrng: [hex, …] } }`. Throws `entropy_invalid`. */
export function parseBeaconBlock(bytes: Uint8Array) {
  const block = withCode(
    'entropy_invalid',
    `${unreadable}it is not JSON`,
    () => JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes)) as { data?: unknown } | null,
  )
  const data = block?.data
  if (typeof data !== 'object' || data === null) throw invalid(`${unreadable}it has no data`)
  const { sequence, timestamp, ctrng } = data as Record<string, unknown>
  if (!isCount(sequence) || !isCount(timestamp)) {
    throw invalid(`${unreadable}sequence or timestamp is not a whole number`)
  }
  if (!Array.isArray(ctrng) || ctrng.length === 0 || ctrng.length > 256) throw invalid(`${unreadable}it has no values`)
  const values = ctrng.map((value: unknown) => {
    if (typeof value === 'string' && /^[0-9a-fA-F]{64}$/.test(value)) return `0x${value.toLowerCase()}` as Hex
    throw invalid(`${unreadable}a value is not 32 bytes of hex`)
  })
  return { sequence: String(sequence), producedAt: timestamp, values }
}

const unreadable = 'the beacon block cannot be read: '

function isCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0
}

const invalid = (why: string, cause?: unknown): ServiceError => new ServiceError('entropy_invalid', why, {}, cause)
