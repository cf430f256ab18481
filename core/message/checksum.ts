import { keccak_256 } from '@noble/hashes/sha3'
import { toHex, type Hex } from '../bytes/index.js'

/** The spelling of an address that EIP-55 asks for. */
export function checksumAddress(address: Hex): Hex {
  const digits = address.slice(2).toLowerCase()
  const hash = toHex(keccak_256(new TextEncoder().encode(digits))).slice(2)
  const spelled = [...digits].map((digit, i) =>
    Number.parseInt(hash[i] as string, 16) >= 8 ? digit.toUpperCase() : digit,
  )
  return `0x${spelled.join('')}`
}

/** True for an address in one case, or in mixed case with the right checksum: a wrong one is a typing error. */
export function isAddress(text: string): text is Hex {
  if (!/^0x[0-9a-fA-F]{40}$/.test(text)) return false
  const digits = text.slice(2)
  return digits === digits.toLowerCase() || digits === digits.toUpperCase() || checksumAddress(text as Hex) === text
}
