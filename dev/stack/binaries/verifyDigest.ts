import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { pipeline } from 'node:stream/promises'

/** Throws unless the file has exactly this digest. Nothing fetched is unpacked or run before this. */
export async function verifyDigest(file: string, algorithm: 'sha256' | 'sha512', expected: string): Promise<void> {
  const hash = createHash(algorithm)
  await pipeline(createReadStream(file), hash)
  const actual = hash.digest('hex')
  if (actual !== expected) throw new Error(`its ${algorithm} is ${actual}, not the pinned ${expected}`)
}
