/**
 * How Node runs a worker: on the command line, because they must be known before it starts. Left to itself V8 lets each
 * of a worker's heaps (ours and the workflow threads') grow with the machine's memory; these bound them.
 */
export const workerNodeFlags = ['--max-semi-space-size=16', '--max-old-space-size=384']
