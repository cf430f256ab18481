import type { Figure } from './Figure.js'
import type { BenchStack } from '../stack/openStack.js'

/** One benchmark of `npm run bench`. */
export interface Part {
  name: string
  compares: string
  /**
   * About as long as it takes on two quiet cores. It has failed after four times as long (at least ten minutes: the first part warms
   * the service up). Starting the stack does not count: programs may have to be built first.
   */
  seconds: number
  /** Not part of a whole run, for this reason. */
  onlyByName?: string
  measure: (stack: () => Promise<BenchStack>) => Promise<Figure[]>
}

export interface PartResult {
  seconds: number
  figures: Figure[]
  /** Why there are no figures. The other parts' figures stand. */
  failure?: string
}

/** Measures one part. Never rejects: a part that fails must not lose the others' figures. */
export async function measurePart(part: Part, stack: () => Promise<BenchStack>): Promise<PartResult> {
  const start = performance.now()
  const limitSeconds = Math.max(600, 4 * part.seconds)
  let timer: NodeJS.Timeout | undefined
  let giveUp = () => {}
  const tooLong = new Promise<never>((_, reject) => {
    giveUp = () => reject(new Error(`gave up after ${limitSeconds} s`))
  })
  const limit = () => {
    clearTimeout(timer)
    timer = setTimeout(giveUp, limitSeconds * 1000)
  }
  const started = async () => {
    clearTimeout(timer)
    return stack().finally(limit)
  }
  limit()
  const seconds = () => Math.round((performance.now() - start) / 100) / 10
  try {
    const figures = await Promise.race([part.measure(started), tooLong])
    return { seconds: seconds(), figures }
  } catch (error) {
    return { seconds: seconds(), figures: [], failure: error instanceof Error ? error.message : String(error) }
  } finally {
    clearTimeout(timer)
  }
}
