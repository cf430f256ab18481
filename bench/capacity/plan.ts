import { costs, world } from './costs.js'

/** What a steady rate of signatures needs, each component for itself. */
export function plan(rate: number) {
  const cores = (ms: number) => Math.ceil((rate * ms) / 1000 / world.utilisation)
  return {
    rate,
    apiCores: cores(costs.apiMs),
    workerCores: cores(costs.workerMs),
    temporalCores: cores(costs.temporalMs),
    enclaveCores: cores(costs.enclaveMs),
    postgresCommitsPerSecond: rate * costs.commits,
    shards: Math.max(512, 2 ** Math.ceil(Math.log2(rate / world.startsPerShard))),
    publisherKeys: Math.ceil((rate * world.blockSeconds) / costs.receiptsPerBlockAndKey),
    gasPerSecond: rate * costs.gas,
    samplesPerDay: rate * costs.entropySamples * 86_400,
    ipfsNodes: Math.ceil(rate / costs.pinsPerSecondAndNode) * world.copies,
    storedBytesPerDay: rate * costs.receiptBytes * 86_400,
  }
}

export type Plan = ReturnType<typeof plan>

/** What no further process removes, with the rate at which it is reached, lowest first. */
export function walls(): { name: string; rate: number }[] {
  return [
    { name: 'entropy samples a day', rate: world.samplesPerDay / 86_400 / costs.entropySamples },
    { name: 'one publisher key', rate: costs.receiptsPerBlockAndKey / world.blockSeconds },
    { name: 'fair share of the chain’s gas', rate: world.fairGasPerSecond / costs.gas },
    { name: 'one audit chain', rate: 1000 / costs.commitMs / costs.auditEvents },
    { name: '512 shards', rate: 512 * world.startsPerShard },
  ].sort((one, other) => one.rate - other.rate)
}
