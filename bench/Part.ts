import type { Figure } from './Figure.js'
import type { BenchStack } from './stack/openStack.js'

/** One benchmark of `npm run bench`. */
export interface Part {
  name: string
  compares: string
  /** Seconds that it takes on two quiet cores, about. After four times as long, three minutes at least, it has failed. */
  seconds: number
  /** Only when it is named, and why. */
  onlyByName?: string
  measure: (stack: () => Promise<BenchStack>) => Promise<Figure[]>
}

export interface PartResult {
  seconds: number
  figures: Figure[]
  /** What went wrong; the figures of the other parts stand. */
  failure?: string
}

/** Measures one part. Never rejects: one that fails must not lose what the others found. */
export async function measurePart(part: Part, stack: () => Promise<BenchStack>): Promise<PartResult> {
  const start = performance.now()
  const limitSeconds = Math.max(180, 4 * part.seconds)
  let timer: NodeJS.Timeout | undefined
  const tooLong = new Promise<never>((_, reject) => {
    const error = new Error(`it was given up after ${limitSeconds} s`)
    timer = setTimeout(() => reject(error), limitSeconds * 1000)
  })
  const seconds = () => Math.round((performance.now() - start) / 100) / 10
  try {
    const figures = await Promise.race([part.measure(stack), tooLong])
    return { seconds: seconds(), figures }
  } catch (error) {
    return { seconds: seconds(), figures: [], failure: error instanceof Error ? error.message : String(error) }
  } finally {
    clearTimeout(timer)
  }
}
