/** Tags of X.690 that certificates and CRLs use. */
export const tag = {
  boolean: 0x01,
  integer: 0x02,
  bitString: 0x03,
  octetString: 0x04,
  null: 0x05,
  oid: 0x06,
  utf8String: 0x0c,
  printableString: 0x13,
  ia5String: 0x16,
  utcTime: 0x17,
  generalizedTime: 0x18,
  sequence: 0x30,
  set: 0x31,
} as const

/** One element: its tag, its content and the bytes that hold it. Views into the input, never copies. */
export interface DerElement {
  tag: number
  content: Uint8Array
  whole: Uint8Array
}

/** Thrown by the reader only; callers convert it to the code of what they were reading. */
export class DerError extends Error {
  override readonly name = 'DerError'
}

/**
 * Reads DER elements one after another. Strict: definite, minimal lengths, single-byte tags, nothing beyond the end.
 * Each byte is visited a bounded number of times, so hostile input costs no more than its length.
 */
export class DerReader {
  private offset = 0
  constructor(private readonly bytes: Uint8Array) {}

  get done(): boolean {
    return this.offset === this.bytes.length
  }

  /** The next element's tag, or -1 at the end. */
  peek(): number {
    return this.bytes[this.offset] ?? -1
  }

  read(expected?: number): DerElement {
    const { bytes, offset: start } = this
    const elementTag = bytes[start]
    if (elementTag === undefined) throw new DerError('element missing')
    if ((elementTag & 0x1f) === 0x1f) throw new DerError('tag of several bytes')
    if (expected !== undefined && elementTag !== expected) {
      throw new DerError(`tag ${elementTag.toString(16)} instead of ${expected.toString(16)}`)
    }
    const { length, contentStart } = readLength(bytes, start + 1)
    const end = contentStart + length
    if (end > bytes.length) throw new DerError('element longer than its container')
    this.offset = end
    return { tag: elementTag, content: bytes.subarray(contentStart, end), whole: bytes.subarray(start, end) }
  }

  /** The next element when it has this tag; nothing is consumed otherwise. */
  readIf(expected: number): DerElement | undefined {
    return this.peek() === expected ? this.read(expected) : undefined
  }

  enter(expected: number): DerReader {
    return new DerReader(this.read(expected).content)
  }

  finish(): void {
    if (!this.done) throw new DerError('bytes left over')
  }
}

function readLength(bytes: Uint8Array, at: number): { length: number; contentStart: number } {
  const first = bytes[at]
  if (first === undefined) throw new DerError('length missing')
  if (first < 0x80) return { length: first, contentStart: at + 1 }
  const count = first & 0x7f
  if (count === 0 || count > 4) throw new DerError('length indefinite or too long')
  let length = 0
  for (let i = 1; i <= count; i++) {
    const byte = bytes[at + i]
    if (byte === undefined) throw new DerError('length cut off')
    length = length * 256 + byte
  }
  if (length < 0x80 || length < 256 ** (count - 1)) throw new DerError('length not minimal')
  return { length, contentStart: at + 1 + count }
}

/** The single element that these bytes hold, with nothing after it. */
export function readSingle(bytes: Uint8Array, expected?: number): DerElement {
  const reader = new DerReader(bytes)
  const element = reader.read(expected)
  reader.finish()
  return element
}

/** Dotted form of an object identifier's content. */
export function readOid(content: Uint8Array): string {
  if (content.length === 0 || content.length > 32) throw new DerError('object identifier of odd length')
  const arcs: number[] = []
  let value = 0
  for (let i = 0; i < content.length; i++) {
    const byte = content[i] as number
    if (value === 0 && byte === 0x80) throw new DerError('object identifier not minimal')
    value = value * 128 + (byte & 0x7f)
    if (value > Number.MAX_SAFE_INTEGER / 128) throw new DerError('object identifier too large')
    if (byte & 0x80) continue
    if (arcs.length === 0) {
      const root = Math.min(2, Math.floor(value / 40))
      arcs.push(root, value - root * 40)
    } else {
      arcs.push(value)
    }
    value = 0
  }
  if ((content[content.length - 1] as number) & 0x80) throw new DerError('object identifier cut off')
  return arcs.join('.')
}

/** Content of an INTEGER, checked to be minimal and not negative. */
export function readInteger(content: Uint8Array): Uint8Array {
  const [first, second] = content
  if (first === undefined) throw new DerError('empty integer')
  if (second !== undefined && ((first === 0 && second < 0x80) || (first === 0xff && second >= 0x80))) {
    throw new DerError('integer not minimal')
  }
  if (first >= 0x80) throw new DerError('negative integer')
  return content
}

/** A small non-negative INTEGER as a number. */
export function readSmallInteger(content: Uint8Array): number {
  readInteger(content)
  if (content.length > 5) throw new DerError('integer too large')
  return content.reduce((value, byte) => value * 256 + byte, 0)
}

/** Bits of a BIT STRING that fills whole bytes. */
export function readBitString(content: Uint8Array): Uint8Array {
  if (content[0] !== 0) throw new DerError('bit string does not fill whole bytes')
  return content.subarray(1)
}

export function readBoolean(content: Uint8Array): boolean {
  if (content.length !== 1 || (content[0] !== 0 && content[0] !== 0xff)) throw new DerError('boolean not DER')
  return content[0] === 0xff
}
