import { verifyCid, type UnixSeconds } from '../bytes/index.js'
import type { BeaconFinding, EntropySample } from '../entropy/index.js'
import { ServiceError } from '../errors/index.js'
import { parseBeaconBlock } from './parseBeaconBlock.js'
import { verifyIpnsRecord } from './verifyIpnsRecord.js'

/**
 * Checks the whole chain: pinned name, key, signed record, CID, block bytes, value. It proves that the holder of the
 * beacon's key published this value under this name. It does not prove that a satellite made it, or that it was secret.
 */
export async function verifyBeacon(
  evidence: NonNullable<EntropySample['beacon']>,
  now: UnixSeconds,
): Promise<BeaconFinding> {
  const record = await verifyIpnsRecord(evidence.name, fromBase64(evidence.record), now)
  if (record.value !== `/ipfs/${evidence.cid}`) throw invalid('the IPNS record points to another block')
  const bytes = fromBase64(evidence.block)
  verifyBlock(evidence.cid, bytes)
  const block = parseBeaconBlock(bytes)
  const value = block.values[evidence.index]
  if (value === undefined) throw invalid('the block has no value at this index')
  return { value, producedAt: block.producedAt, sequence: block.sequence }
}

function verifyBlock(cid: string, bytes: Uint8Array): void {
  try {
    verifyCid(cid, bytes)
  } catch (cause) {
    throw invalid('the block does not hash to its CID', cause)
  }
}

function fromBase64(text: string): Uint8Array {
  try {
    return Uint8Array.from(atob(text), (char) => char.charCodeAt(0))
  } catch (cause) {
    throw invalid('evidence is not base64', cause)
  }
}

const invalid = (why: string, cause?: unknown): ServiceError => new ServiceError('entropy_invalid', why, {}, cause)
