import { decodeBase64, encodeBase64 } from '../bytes/index.js'
import { ServiceError, withCode } from '../errors/index.js'

const maxChain = 6
const maxPemLength = 64 * 1024
const block = /-----BEGIN CERTIFICATE-----\r?\n((?:[A-Za-z0-9+/]+={0,2}\r?\n)+)-----END CERTIFICATE-----/y
const lineEnds = /[\r\n]*/y
const closing = /[\r\n]*\0*$/y

/**
 * The DER certificates of a PEM text, in order. Anything but blocks, line ends and closing NULs is refused: the chain inside a quote is
 * not signed, so a tolerant parser would give one quote many forms.
 */
export function parsePem(text: unknown): Uint8Array[] {
  if (typeof text !== 'string' || text.length > maxPemLength) fail('not a PEM text, or a very long one')
  const certificates: Uint8Array[] = []
  let at = 0
  while (!matches(closing, text, at)) {
    block.lastIndex = at
    const match = block.exec(text)
    if (!match) fail('something other than certificates in a PEM text')
    certificates.push(decodeBlock((match[1] as string).replace(/\r?\n/g, '')))
    if (certificates.length > maxChain) fail('too many certificates in a PEM text')
    lineEnds.lastIndex = block.lastIndex
    lineEnds.exec(text)
    at = lineEnds.lastIndex
  }
  if (certificates.length === 0) fail('no certificate in a PEM text')
  return certificates
}

/** The same without white space and NULs around lines, for what people and programs copy: the chains of collateral. */
export function tidyPem(text: string): string {
  const lines = text.split(/[\r\n\0]+/).map((line) => line.trim())
  return lines.filter((line) => line !== '').join('\n') + '\n'
}

/** DER of a certificate that is given as DER or as PEM. */
export function decodeCertificateFile(bytes: unknown): Uint8Array {
  if (!(bytes instanceof Uint8Array) || bytes.length === 0 || bytes.length > maxPemLength) {
    fail('a certificate is a few kilobytes of DER or PEM')
  }
  if (bytes[0] !== 0x2d) return bytes
  const certificates = parsePem(asciiOf(bytes))
  if (certificates.length !== 1) fail('expected exactly one certificate')
  return certificates[0] as Uint8Array
}

/** Bytes as text, refusing anything outside ASCII. */
export function asciiOf(bytes: Uint8Array): string {
  for (const byte of bytes) if (byte > 0x7e) fail('PEM is ASCII')
  return new TextDecoder().decode(bytes)
}

function decodeBlock(text: string): Uint8Array {
  const bytes = withCode('parse_failed', 'PEM block is not base64', () => decodeBase64(text))
  if (encodeBase64(bytes) !== text) fail('PEM block is not canonical base64')
  return bytes
}

function matches(pattern: RegExp, text: string, at: number): boolean {
  pattern.lastIndex = at
  return pattern.test(text)
}

function fail(message: string): never {
  throw new ServiceError('parse_failed', message)
}
