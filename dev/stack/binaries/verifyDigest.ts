import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'

/** Throws unless the file has exactly this digest. Nothing fetched is unpacked or run before this. */
export async function verifyDigest(file: string, algorithm: 'sha256' | 'sha512', expected: string): Promise<void> {
  const actual = createHash(algorithm)
    .update(await readFile(file))
    .digest('hex')
  if (actual !== expected) throw new Error(`its ${algorithm} is ${actual}, not the pinned ${expected}`)
}
