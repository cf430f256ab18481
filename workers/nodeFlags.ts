import { setFlagsFromString } from 'node:v8'

/**
 * How Node runs a worker: on the command line, because they must be known before it starts. Left to itself V8 lets each
 * of a worker's three heaps (ours and the two workflow threads) grow by what the machine has, and a worker that keeps 300
 * workflows takes 450 MB; bounds on the young and the old generation make that 330.
 */
export const workerNodeFlags = ['--max-semi-space-size=16', '--max-old-space-size=384']

/**
 * For heaps made from now on, those of the workflow threads. Ours sees three times as much garbage, so theirs get a smaller
 * young generation. And no stack traces: Temporal's SDK takes one for every promise of a workflow, for the call stack in
 * its UI, and that is a tenth of a worker's CPU. Our workflows say in words what they wait for (`describeProof.ts`); who
 * wants call stacks for once starts the worker with `--stack-trace-limit=10`.
 */
export function tuneWorkflowThreads(flags: readonly string[] = process.execArgv): void {
  setFlagsFromString('--max-semi-space-size=2')
  if (!flags.some((flag) => flag.startsWith('--stack-trace-limit'))) setFlagsFromString('--stack-trace-limit=0')
}
