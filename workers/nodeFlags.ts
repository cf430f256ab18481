/**
 * How Node runs a worker: on the command line, because they must be known before it starts. Left to itself V8 lets each
 * of a worker's three heaps (ours and the two workflow threads) grow by what the machine has, and a worker that keeps 300
 * workflows takes 450 MB; a small young generation and a bound on the old one make that 320, for a few per cent more CPU.
 */
export const workerNodeFlags = ['--max-semi-space-size=4', '--max-old-space-size=384']
