import type { ActivityDeps } from '../workers/createActivities.js'
import { rowOf, type BenchmarkRow } from './Benchmark.js'

/** Times the steps inside every signature. What is left of the whole is records and Temporal. */
export function timeSteps() {
  const taken = new Map<string, number[]>()
  function timed<A extends unknown[], R>(name: string, step: (...args: A) => Promise<R>): (...args: A) => Promise<R> {
    const times: number[] = []
    taken.set(name, times)
    return async (...args) => {
      const start = performance.now()
      const result = await step(...args)
      times.push(performance.now() - start)
      return result
    }
  }
  return {
    change(deps: ActivityDeps): void {
      const { entropy, enclave, evidence } = deps
      deps.entropy = { ...entropy, take: timed('… of it entropy', (purpose) => entropy.take(purpose)) }
      const sign = timed('… of it enclave', (request: Parameters<typeof enclave.signTransaction>[0]) =>
        enclave.signTransaction(request),
      )
      deps.enclave = { ...enclave, signTransaction: sign }
      const verify = timed('… of it verification', (...args: Parameters<typeof evidence.verifySignEvidence>) =>
        evidence.verifySignEvidence(...args),
      )
      deps.evidence = { ...evidence, verifySignEvidence: verify }
    },
    rows: (): BenchmarkRow[] => [...taken].map(([name, times]) => rowOf(name, times)),
  }
}
