import { table } from '../../soak/report/table.js'
import { plan, walls, type Plan } from './plan.js'

const number = (value: number) => {
  const rounded = value >= 100 ? Math.round(value) : Number(value.toPrecision(2))
  return rounded.toLocaleString('en')
}
const gigabytes = (bytes: number) => `${number(bytes / 1e9)} GB`

const rows: [string, (plan: Plan) => string][] = [
  ['API, cores', ({ apiCores }) => number(apiCores)],
  ['workers, cores', ({ workerCores }) => number(workerCores)],
  ['Temporal, cores', ({ temporalCores }) => number(temporalCores)],
  ['Temporal, history shards', ({ shards }) => number(shards)],
  ['enclaves, cores', ({ enclaveCores }) => number(enclaveCores)],
  ['Postgres, durable commits a second', ({ postgresCommitsPerSecond }) => number(postgresCommitsPerSecond)],
  ['publisher keys, 2 s blocks', ({ publisherKeys }) => number(publisherKeys)],
  ['gas a second', ({ gasPerSecond }) => number(gasPerSecond)],
  ['entropy samples a day', ({ samplesPerDay }) => number(samplesPerDay)],
  ['IPFS nodes, two copies', ({ ipfsNodes }) => number(ipfsNodes)],
  ['receipts a day, each copy', ({ storedBytesPerDay }) => gigabytes(storedBytesPerDay)],
]

/** The tables of docs/capacity.md. */
export function capacityTables() {
  const plans = [10, 1_000, 100_000].map(plan)
  const needs = rows.map(([name, show]) => [name, ...plans.map(show)])
  const limits = walls().map(({ name, rate }) => [name, number(rate)])
  return {
    needs: table(['Signatures a second', '10', '1,000', '100,000'], needs).join('\n'),
    limits: table(['Wall', 'Signatures a second'], limits).join('\n'),
  }
}
