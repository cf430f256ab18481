import { readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const reserve = 256n

/**
 * A counter that never goes back, whatever dies: it books numbers on disk a block at a time before giving them out, so
 * a crash may skip numbers and never repeats one.
 */
export function openSequence(dir: string): () => bigint {
  const file = join(dir, 'satellite-sequence')
  let next = read(file)
  let booked = next
  return () => {
    if (next >= booked) {
      booked = next + reserve
      writeFileSync(`${file}.new`, `${booked}\n`, { mode: 0o600, flush: true })
      renameSync(`${file}.new`, file)
    }
    return next++
  }
}

function read(file: string): bigint {
  try {
    return BigInt(readFileSync(file, 'utf8').trim())
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return 1n
    throw error
  }
}
