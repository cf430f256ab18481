import { createPrivateKey } from 'node:crypto'
import { readFileSync, renameSync, writeFileSync } from 'node:fs'
import { fromHex, parseStrictJson, ServiceError, type Hex } from '@perigee/core'
import { verifyRelease } from '@perigee/core/measurements'
import type { ReleaseToAnnounce } from '../../clients/releases/createReleases.js'

/** The bytes of a file that the command line names. */
export function readBytes(path: string): Uint8Array {
  try {
    return new Uint8Array(readFileSync(path))
  } catch (cause) {
    throw new ServiceError('invalid_request', `${path} cannot be read`, {}, cause)
  }
}

/** JSON of such a file. A member that stands twice is refused: readers could disagree about it. */
export function readJson(path: string): unknown {
  try {
    return parseStrictJson(new TextDecoder('utf-8', { fatal: true }).decode(readBytes(path)))
  } catch (cause) {
    if (cause instanceof ServiceError && cause.code === 'invalid_request') throw cause
    throw new ServiceError('release_invalid', `${path} is not JSON, or names a member twice`, {}, cause)
  }
}

/** A signed list. Throws `release_invalid` or `release_signature`. */
export function readList(path: string, publicKey: Hex): ReleaseToAnnounce {
  const file = readBytes(path)
  return { release: verifyRelease(file, publicKey), file }
}

/** Written aside and renamed, so that a program that reads it meanwhile finds a whole list. */
export function replaceList(path: string, content: Uint8Array): void {
  try {
    writeFileSync(`${path}.new`, content)
    renameSync(`${path}.new`, path)
  } catch (cause) {
    throw new ServiceError('invalid_request', `${path} cannot be written`, {}, cause)
  }
}

/** The release key: Ed25519, as PEM (PKCS 8) or as 32 bytes in hex. Its value appears in no message. */
export function readReleaseKey(path: string): Uint8Array {
  const text = new TextDecoder().decode(readBytes(path)).trim()
  try {
    if (/^0x[0-9a-fA-F]{64}$/.test(text)) return fromHex(text as Hex, 32)
    const { d, crv } = createPrivateKey(text).export({ format: 'jwk' })
    if (crv === 'Ed25519' && d) return new Uint8Array(Buffer.from(d, 'base64url'))
  } catch {
    // the same answer as for another kind of key
  }
  throw new ServiceError('invalid_request', `${path} holds no Ed25519 key`)
}

/** The owner's key from a file, or from RELEASES_OWNER_KEY. Its value appears in no message. */
export function readOwnerKey(path: string | undefined, fromEnvironment: string | null): Hex {
  const text = path === undefined ? (fromEnvironment ?? '') : new TextDecoder().decode(readBytes(path)).trim()
  if (/^0x[0-9a-fA-F]{64}$/.test(text)) return text as Hex
  const where = path ?? 'RELEASES_OWNER_KEY'
  throw new ServiceError('invalid_request', `${where} holds no key of the owner: 0x and 64 hex digits, or --print-call`)
}
