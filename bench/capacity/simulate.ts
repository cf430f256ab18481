import { costs, world } from './costs.js'

/** Cores of each component; the audit chain is one server whatever there is, and publisher keys send a batch a block. */
export interface Machines {
  apiCores: number
  workerCores: number
  temporalCores: number
  enclaveCores: number
  publisherKeys: number
}

export interface Outcome {
  /** Share of the time that each component's cores worked. */
  busy: Record<string, number>
  /** Signatures whose caller has an answer at the end, of all that were asked for. */
  answered: number
  asked: number
  /** Of the callers' waiting, without any service time. */
  longestWaitMs: number
  /** Proofs that wait for a block at the end. */
  unpublished: number
}

/** Cores that serve in order of arrival: a request takes the core that is free first. */
class Station {
  private readonly freeAt: number[]
  private busyMs = 0
  constructor(
    cores: number,
    private readonly serviceMs: number,
  ) {
    this.freeAt = new Array<number>(cores).fill(0)
  }
  /** When the work that arrives now is done, and how long it waited. Arrivals must come in order of time. */
  serve(nowMs: number): { doneMs: number; waitedMs: number } {
    let first = 0
    for (let core = 1; core < this.freeAt.length; core++) {
      if ((this.freeAt[core] as number) < (this.freeAt[first] as number)) first = core
    }
    const startMs = Math.max(nowMs, this.freeAt[first] as number)
    const doneMs = startMs + this.serviceMs
    this.freeAt[first] = doneMs
    this.busyMs += this.serviceMs
    return { doneMs, waitedMs: startMs - nowMs }
  }
  busyShare(totalMs: number): number {
    return this.busyMs / (totalMs * this.freeAt.length)
  }
}

/**
 * A service under a steady rate, arrivals at random moments: every component takes the time that was measured, and does
 * nothing. Its stages follow one another, each fed in the order in which the one before finishes.
 */
export function simulate(machines: Machines, rate: number, seconds: number, random: () => number): Outcome {
  const stages = {
    api: new Station(machines.apiCores, costs.apiMs),
    audit: new Station(1, costs.commitMs * costs.auditEvents),
    temporal: new Station(machines.temporalCores, costs.temporalMs),
    worker: new Station(machines.workerCores, costs.workerMs),
    enclave: new Station(machines.enclaveCores, costs.enclaveMs),
  }
  const totalMs = seconds * 1000
  let signatures: { atMs: number; waitedMs: number }[] = []
  for (let atMs = 0; ;) {
    atMs += (-Math.log(1 - random()) * 1000) / rate
    if (atMs >= totalMs) break
    signatures.push({ atMs, waitedMs: 0 })
  }
  const asked = signatures.length
  for (const station of Object.values(stages)) {
    signatures = signatures.map(({ atMs, waitedMs }) => {
      const served = station.serve(atMs)
      return { atMs: served.doneMs, waitedMs: waitedMs + served.waitedMs }
    })
    signatures.sort((one, other) => one.atMs - other.atMs)
  }
  const answers = signatures.filter(({ atMs }) => atMs <= totalMs)
  return {
    busy: Object.fromEntries(Object.entries(stages).map(([name, station]) => [name, station.busyShare(totalMs)])),
    answered: answers.length,
    asked,
    longestWaitMs: signatures.reduce((longest, { waitedMs }) => Math.max(longest, waitedMs), 0),
    unpublished: unpublished(
      answers.map(({ atMs }) => atMs),
      machines.publisherKeys,
      totalMs,
    ),
  }
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
