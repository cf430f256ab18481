import { concatBytes } from '../bytes/index.js'

/** Writes one DER element. Enough of X.690 to make certificates and CRLs; reading is core/x509. */
export function der(tag: number, ...parts: readonly Uint8Array[]): Uint8Array {
  const content = concatBytes(...parts)
  return concatBytes(Uint8Array.of(tag), lengthOf(content.length), content)
}

function lengthOf(length: number): Uint8Array {
  if (length < 0x80) return Uint8Array.of(length)
  const digits = bigEndian(BigInt(length))
  return concatBytes(Uint8Array.of(0x80 | digits.length), digits)
}

function bigEndian(value: bigint): Uint8Array {
  const digits: number[] = []
  for (let rest = value; rest > 0n; rest >>= 8n) digits.unshift(Number(rest & 0xffn))
  return Uint8Array.from(digits)
}

export const sequence = (...parts: readonly Uint8Array[]) => der(0x30, ...parts)
export const set = (...parts: readonly Uint8Array[]) => der(0x31, ...parts)
export const octetString = (bytes: Uint8Array) => der(0x04, bytes)
export const bitString = (bytes: Uint8Array, unused = 0) => der(0x03, Uint8Array.of(unused), bytes)
export const boolean = (value: boolean) => der(0x01, Uint8Array.of(value ? 0xff : 0))
export const utf8String = (text: string) => der(0x0c, new TextEncoder().encode(text))
export const ia5String = (text: string) => der(0x16, new TextEncoder().encode(text))

export function integer(value: number | bigint): Uint8Array {
  const digits = bigEndian(BigInt(value))
  const needsZero = digits.length === 0 || (digits[0] as number) >= 0x80
  return der(0x02, needsZero ? concatBytes(Uint8Array.of(0), digits) : digits)
}

export function oid(dotted: string): Uint8Array {
  const [first, second, ...rest] = dotted.split('.').map(Number) as [number, number, ...number[]]
  return der(0x06, Uint8Array.from([first * 40 + second, ...rest].flatMap(base128)))
}

function base128(arc: number): number[] {
  const digits = [arc % 128]
  for (let rest = Math.floor(arc / 128); rest > 0; rest = Math.floor(rest / 128)) digits.unshift(0x80 | (rest % 128))
  return digits
}

/** UTCTime until 2049, GeneralizedTime after (RFC 5280 4.1.2.5). */
export function time(seconds: number): Uint8Array {
  const text = new Date(seconds * 1000).toISOString().replace(/\.\d+/, '').replace(/[-:T]/g, '')
  const isShort = Number(text.slice(0, 4)) < 2050
  return der(isShort ? 0x17 : 0x18, new TextEncoder().encode(isShort ? text.slice(2) : text))
}
