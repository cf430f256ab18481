import { hexToBytes, sha256 } from 'viem'

const alphabet = 'abcdefghijklmnopqrstuvwxyz234567'

/** CIDv1, raw, SHA-256, base32 (multiformats): the IPFS name of these bytes. */
export function rawCid(bytes: Uint8Array): string {
  let bits = ''
  for (const byte of [0x01, 0x55, 0x12, 0x20, ...hexToBytes(sha256(bytes))]) bits += byte.toString(2).padStart(8, '0')
  const groups = bits.match(/.{1,5}/g) ?? []
  return 'b' + groups.map((group) => alphabet[Number.parseInt(group.padEnd(5, '0'), 2)]).join('')
}
