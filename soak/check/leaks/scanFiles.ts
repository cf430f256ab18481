import { open, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { findLeaks, type Leak, type Needles } from './findLeaks.js'

const pieceBytes = 8 * 1024 * 1024
/** Longer than anything we look for, so that nothing hides where two pieces meet. */
const overlap = 4 * 1024

/** Searches every file of a folder, whatever its format. */
export async function scanFiles(folder: string, needles: Needles): Promise<Leak[]> {
  const leaks: Leak[] = []
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    if (entry.isFile()) leaks.push(...(await scanFile(join(folder, entry.name), entry.name, needles)))
  }
  return leaks
}

async function scanFile(path: string, name: string, needles: Needles): Promise<Leak[]> {
  const file = await open(path)
  const found = new Map<string, Leak>()
  try {
    const piece = Buffer.allocUnsafe(pieceBytes) // only what was read is looked at
    for (let at = 0; ; at += pieceBytes - overlap) {
      const { bytesRead } = await file.read(piece, 0, pieceBytes, at)
      const text = piece.subarray(0, bytesRead).toString('latin1')
      for (const leak of findLeaks(name, text, needles)) found.set(leak.what, leak)
      if (bytesRead < pieceBytes) return [...found.values()]
    }
  } finally {
    await file.close()
  }
}
