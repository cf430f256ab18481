import { encodeBinding } from '../binding/index.js'
import { fromHex, type Hex, type UnixSeconds } from '../bytes/index.js'

/** The exact bytes of `perigee-satellite/1`: domain, value, time (u64) and sequence (u64), each with its length. */
export function satelliteSignedBytes(value: Hex, producedAt: UnixSeconds, sequence: string): Uint8Array {
  return encodeBinding('perigee.satellite.v1', [fromHex(value, 32), u64(BigInt(producedAt)), u64(BigInt(sequence))])
}

function u64(value: bigint): Uint8Array {
  const bytes = new Uint8Array(8)
  new DataView(bytes.buffer).setBigUint64(0, value)
  return bytes
}
