import { setFlagsFromString } from 'node:v8'

/**
 * How Node runs a worker: on the command line, because they must be known before it starts. Left to itself V8 lets each
 * of a worker's three heaps (ours and the two workflow threads) grow by what the machine has, and a worker that keeps 300
 * workflows takes 450 MB; bounds on the young and the old generation make that 335.
 */
export const workerNodeFlags = ['--max-semi-space-size=8', '--max-old-space-size=384']

/**
 * Heaps made from now on, those of the workflow threads, get a smaller young generation than ours: ours sees four times as
 * much garbage, and a bigger one costs it a tenth less CPU.
 */
export function keepThreadsSmall(): void {
  setFlagsFromString('--max-semi-space-size=2')
}
