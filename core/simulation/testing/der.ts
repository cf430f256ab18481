/** Writes one DER element of at most 64 kB: what the vendors' own extensions are made of. Certificates are the library's. */
function der(tag: number, ...parts: readonly Uint8Array[]): Uint8Array {
  const content = Buffer.concat(parts)
  const { length } = content
  const size = length < 0x80 ? [length] : length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff]
  return Uint8Array.from([tag, ...size, ...content])
}

export const sequence = (...parts: readonly Uint8Array[]) => der(0x30, ...parts)
export const octetString = (bytes: Uint8Array) => der(0x04, bytes)
export const boolean = (value: boolean) => der(0x01, Uint8Array.of(value ? 0xff : 0))
export const enumerated = (value: number) => der(0x0a, Uint8Array.of(value))
export const ia5String = (text: string) => der(0x16, Buffer.from(text, 'ascii'))

/** From 0 to 127 in one byte, from 128 to 32767 in two. */
export const integer = (value: number) =>
  der(0x02, value < 0x80 ? Uint8Array.of(value) : Uint8Array.of(value >> 8, value & 0xff))

export function oid(dotted: string): Uint8Array {
  const [first, second, ...rest] = dotted.split('.').map(Number) as [number, number, ...number[]]
  return der(0x06, Uint8Array.from([first * 40 + second, ...rest].flatMap(base128)))
}

function base128(arc: number): number[] {
  const digits = [arc % 128]
  for (let rest = Math.floor(arc / 128); rest > 0; rest = Math.floor(rest / 128)) digits.unshift(0x80 | (rest % 128))
  return digits
}
