import { constants } from 'node:fs'
import { open } from 'node:fs/promises'
import { resolve } from 'node:path'
import { parseStrictJson, withCode } from '@perigee/core'
import { ServiceError } from '@perigee/core/errors'
import { UsageError } from '@perigee/core/config'

/** Far above any real quote, report, certificate, collateral or bundle. */
export const maxFileBytes = 16 * 1024 * 1024

/** Bytes of a regular file. A missing file is wrong usage; one that is too large is refused without reading it. */
export async function readFile(cwd: string, path: string): Promise<Uint8Array> {
  // Non-blocking: opening a named pipe must not wait for a writer.
  const flags = constants.O_RDONLY | constants.O_NONBLOCK
  const file = await open(resolve(cwd, path), flags).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') throw new UsageError(`there is no file ${path}`)
    throw new UsageError(`cannot read ${path}: ${error.code ?? 'unknown error'}`)
  })
  try {
    const info = await file.stat()
    if (!info.isFile()) throw new UsageError(`${path} is not a file`)
    if (info.size > maxFileBytes) throw new ServiceError('payload_too_large', `${path} is larger than 16 MiB`)
    return new Uint8Array(await file.readFile())
  } finally {
    await file.close()
  }
}

const maxHexFileBytes = 1024 * 1024

/** A quote or report: binary, or in hex digits as many tools print it, on one line or several. */
export function decodeBinary(bytes: Uint8Array): Uint8Array {
  if (bytes.length > maxHexFileBytes) return bytes
  const text = new TextDecoder('latin1').decode(bytes).replace(/\s+/g, '').replace(/^0x/i, '')
  const isHex = text.length > 0 && text.length % 2 === 0 && !/[^0-9a-fA-F]/.test(text)
  return isHex ? new Uint8Array(Buffer.from(text, 'hex')) : bytes
}

/** AMD's lists of revoked certificates; undefined when none is named. */
export async function readCrls(cwd: string, paths: readonly string[] | undefined): Promise<Uint8Array[] | undefined> {
  return paths && Promise.all(paths.map(async (path) => decodeBinary(await readFile(cwd, path))))
}

/** JSON of a file, or `parse_failed`. An object that names a member twice is refused: two readers could read it differently. */
export function decodeJson(bytes: Uint8Array, what: string): unknown {
  const decode = () => new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  const text = withCode('parse_failed', `${what} is not text in UTF-8`, decode)
  return parseStrictJson(text, { maxLength: maxFileBytes, anyScalar: true })
}

/** DER of the one certificate in a DER or PEM file. Anything else is returned as it is, and the verifier refuses it. */
export function decodeCertificate(bytes: Uint8Array): Uint8Array {
  const text = new TextDecoder('latin1').decode(bytes.subarray(0, 64 * 1024))
  const blocks = [...text.matchAll(/-----BEGIN CERTIFICATE-----([A-Za-z0-9+/=\s]+)-----END CERTIFICATE-----/g)]
  if (blocks.length > 1)
    throw new ServiceError('parse_failed', 'more than one certificate in a file: give each its own')
  const [block] = blocks
  return block === undefined ? bytes : new Uint8Array(Buffer.from((block[1] as string).replace(/\s/g, ''), 'base64'))
}
