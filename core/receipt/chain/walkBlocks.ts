import { ServiceError } from '../../errors/index.js'

/** No node that serves anyone refuses a range this short for its length: the free plans of some allow ten blocks. */
const smallestWindow = 8
const mostAtOnce = 4
/** After this many windows of one size, twice the size is tried. The number doubles each time, so that few calls are wasted. */
const windowsToGrow = 8
const progressEvery = 16

export interface BlockRange {
  fromBlock: number
  toBlock: number
}

export interface BlockWalk extends BlockRange {
  /** Ends the search. The reader's patience, because `core` has no clock. */
  signal?: AbortSignal | undefined
  /** Told now and then how far a long search has got. */
  onProgress?: ((line: string) => void) | undefined
}

/** One window of blocks, and what was found in it. */
export interface Window<T> {
  toBlock: number
  found: T
}

/**
 * Reads a range of blocks window by window, in order. It tries all blocks at once and halves the window whenever the node
 * refuses, because public nodes limit ranges and answers. A size that works is kept, and a few such windows are read at
 * the same time. Throws `chain_unavailable` when even a short window is refused, or when `signal` ends the search: what
 * was not searched is never taken for empty.
 */
export async function* walkBlocks<T>(
  { fromBlock, toBlock, signal, onProgress }: BlockWalk,
  readRange: (range: BlockRange) => Promise<T>,
): AsyncGenerator<Window<T>> {
  let next = fromBlock
  let size = toBlock - fromBlock + 1
  let atOnce = 1
  let inARow = 0
  let growAfter = windowsToGrow
  let read = 0
  while (next <= toBlock) {
    if (signal?.aborted) throw tooLate(next, toBlock)
    const windows = windowsOf({ fromBlock: next, toBlock }, size, atOnce)
    const answers = await Promise.allSettled(windows.map(readRange))
    atOnce = Math.min(atOnce * 2, mostAtOnce)
    for (const [index, window] of windows.entries()) {
      const answer = answers[index] as PromiseSettledResult<T>
      if (answer.status === 'rejected') {
        const length = window.toBlock - window.fromBlock + 1
        const isLast = length <= smallestWindow && windows.length === 1
        if (!(answer.reason instanceof ServiceError) || isLast) throw answer.reason
        size = Math.max(smallestWindow, Math.ceil(length / 2))
        atOnce = 1
        inARow = 0
        break
      }
      yield { toBlock: window.toBlock, found: answer.value }
      next = window.toBlock + 1
      inARow += 1
      read += 1
      if (read % progressEvery === 0) onProgress?.(`  searched up to block ${window.toBlock} of ${toBlock}`)
    }
    if (inARow < growAfter) continue
    size *= 2
    atOnce = 1
    inARow = 0
    growAfter *= 2
  }
}

function windowsOf({ fromBlock, toBlock }: BlockRange, size: number, most: number): BlockRange[] {
  const windows: BlockRange[] = []
  for (let from = fromBlock; from <= toBlock && windows.length < most; from += size) {
    windows.push({ fromBlock: from, toBlock: Math.min(toBlock, from + size - 1) })
  }
  return windows
}

const tooLate = (next: number, toBlock: number) =>
  new ServiceError(
    'chain_unavailable',
    `the node answers too slowly, or for too few blocks at a time: the search got to block ${next} of ${toBlock}`,
    { next, toBlock },
  )
