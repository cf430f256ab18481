import { costs, world } from './costs.js'
import type { Plan } from './plan.js'

/** The audit chain is one server whatever there is, and publisher keys send a batch a block. */
type Machines = Pick<Plan, 'apiCores' | 'workerCores' | 'temporalCores' | 'enclaveCores' | 'publisherKeys'>

/**
 * A service under a steady rate, arrivals at random moments: every component takes the time that was measured, and does
 * nothing. Its stages follow one another, each fed in the order in which the one before finishes.
 */
export function simulate(machines: Machines, rate: number, seconds: number, random: () => number) {
  const stages = {
    api: { cores: machines.apiCores, ms: costs.apiMs },
    audit: { cores: 1, ms: costs.commitMs * costs.auditEvents },
    temporal: { cores: machines.temporalCores, ms: costs.temporalMs },
    worker: { cores: machines.workerCores, ms: costs.workerMs },
    enclave: { cores: machines.enclaveCores, ms: costs.enclaveMs },
  }
  const totalMs = seconds * 1000
  const asked: number[] = []
  const next = (afterMs: number) => afterMs + (-Math.log(1 - random()) * 1000) / rate
  for (let atMs = next(0); atMs < totalMs; atMs = next(atMs)) asked.push(atMs)
  /** Share of the time that each component's cores worked. */
  const busy: Record<string, number> = {}
  let done: readonly number[] = asked
  let serviceMs = 0
  for (const [name, { cores, ms }] of Object.entries(stages)) {
    done = serve(done, cores, ms)
    busy[name] = (asked.length * ms) / (totalMs * cores)
    serviceMs += ms
  }
  const answers = done.filter((atMs) => atMs <= totalMs)
  return {
    busy,
    /** Signatures whose caller has an answer at the end, of all that were asked for. */
    answered: answers.length,
    asked: asked.length,
    /** Of the callers' waiting, without any service time. */
    longestWaitMs: done.reduce((longest, at, index) => Math.max(longest, at - (asked[index] ?? 0) - serviceMs), 0),
    /** Proofs that wait for a block at the end. */
    unpublished: unpublished(answers, machines.publisherKeys, totalMs),
  }
}

/**
 * When each piece of work is done. Cores serve in order of arrival, and every piece takes as long: so the core that is free
 * first is the one that took the piece `cores` places before.
 */
function serve(arrivals: readonly number[], cores: number, serviceMs: number): number[] {
  const done: number[] = []
  for (const [index, atMs] of arrivals.entries()) done.push(Math.max(atMs, done[index - cores] ?? 0) + serviceMs)
  return done
}

/** Every block takes what is waiting, as far as the keys go. */
function unpublished(answeredAtMs: readonly number[], keys: number, totalMs: number): number {
  const perBlock = keys * costs.receiptsPerBlockAndKey
  const blockMs = world.blockSeconds * 1000
  let arrived = 0
  let waiting = 0
  for (let blockAtMs = blockMs; blockAtMs <= totalMs; blockAtMs += blockMs) {
    const before = arrived
    while (arrived < answeredAtMs.length && (answeredAtMs[arrived] as number) <= blockAtMs) arrived++
    waiting = Math.max(0, waiting + arrived - before - perBlock)
  }
  return waiting
}
