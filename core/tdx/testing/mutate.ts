import { concatBytes } from '../../bytes/index.js'
import type { Random } from '../../../tests/createRandom.js'

/** One change of some bytes: a bit, a byte, a run, a cut, an insertion, a swap. Always different from the original. */
export function mutate(bytes: Uint8Array, random: Random): Uint8Array {
  const at = random.below(bytes.length)
  const kind = random.below(8)
  const changed = Uint8Array.from(bytes)
  const run = 1 + random.below(16)
  if (kind <= 2) changed[at] = (changed[at] as number) ^ (1 << random.below(8))
  else if (kind === 3) changed[at] = random.below(256)
  else if (kind === 4) changed.set(random.bytes(Math.min(run, bytes.length - at)), at)
  else if (kind === 5) return concatBytes(bytes.subarray(0, at), bytes.subarray(at + run))
  else if (kind === 6) return concatBytes(bytes.subarray(0, at), random.bytes(run), bytes.subarray(at))
  else {
    const other = random.below(bytes.length)
    changed[at] = bytes[other] as number
    changed[other] = bytes[at] as number
  }
  return changed.every((byte, i) => byte === bytes[i]) ? mutate(bytes, random) : changed
}
