import { readFileSync, rmSync } from 'node:fs'
import { Client } from '@temporalio/client'
import { NativeConnection } from '@temporalio/worker'
import { pino } from 'pino'
import { connectionOptions, createDataConverter, startPublishing } from '../../temporal/index.js'
import { parseConfig } from '../config.js'
import { createActivities, type ActivityDeps } from '../createActivities.js'
import { createWorkers } from '../createWorkers.js'
import { openDeps } from '../openDeps.js'
import { cachedBundle } from '../cachedBundle.js'

/*
 * The worker as it is, except that it kills itself, as `kill -9` does, where the file FAILPOINT_FILE says: once, because
 * it removes the file first. Points are `<dependency>.<call>:before` and `:after`.
 */
const file = process.env.FAILPOINT_FILE ?? ''

function reach(point: string): void {
  let armed: string
  try {
    armed = readFileSync(file, 'utf8')
  } catch {
    return
  }
  if (armed !== point) return
  rmSync(file)
  process.kill(process.pid, 'SIGKILL')
}

function withFailpoints<T extends object>(name: string, target: T): T {
  return new Proxy(target, {
    get(object, property) {
      const value: unknown = Reflect.get(object, property, object)
      if (typeof value !== 'function') return value
      return async (...args: unknown[]) => {
        reach(`${name}.${String(property)}:before`)
        const result: unknown = await (value as (...all: unknown[]) => unknown).apply(object, args)
        reach(`${name}.${String(property)}:after`)
        return result
      }
    },
  })
}

function arm(deps: ActivityDeps): ActivityDeps {
  const { database } = deps
  const query = database.query.bind(database) as (...args: unknown[]) => Promise<unknown>
  database.query = (async (...args: unknown[]) => {
    const name = recordStep(String(args[0]))
    if (name) reach(`${name}:before`)
    const result = await query(...args)
    if (name) reach(`${name}:after`)
    return result
  }) as typeof database.query
  const transaction = database.transaction.bind(database) as (...args: unknown[]) => Promise<unknown>
  database.transaction = (async (...args: unknown[]) => {
    reach('database.transaction:before')
    const result = await transaction(...args)
    reach('database.transaction:after')
    return result
  }) as typeof database.transaction
  return {
    ...deps,
    entropy: withFailpoints('entropy', deps.entropy),
    enclave: withFailpoints('enclave', deps.enclave),
    evidence: withFailpoints('evidence', deps.evidence),
    nodes: deps.nodes.map((node) => withFailpoints('ipfs', node)),
    publisher: withFailpoints('publisher', deps.publisher),
  }
}

/** The two moves of a proof's record, by their statement. */
function recordStep(sql: string): string | undefined {
  if (sql.includes("SET status = 'pending_onchain', status_since = now(), cid")) return 'record.pinned'
  return sql.includes("SET status = 'complete', status_since") ? 'record.complete' : undefined
}

const config = parseConfig(process.env)
const connection = await NativeConnection.connect(connectionOptions(config.temporal))
const { namespace, codecKeys } = config.temporal
const client = new Client({ connection, namespace, dataConverter: createDataConverter(codecKeys) })
const log = pino({ level: 'silent' })
const { deps } = await openDeps(config, log, (input) => startPublishing(client, input))
// Wrapped before the chain is handed to the publisher, so that its broadcasts are seen too.
const broadcast = deps.chain.broadcast
deps.chain.broadcast = async (raw) => {
  reach('chain.broadcast:before')
  const result = await broadcast(raw)
  reach('chain.broadcast:after')
  return result
}
const findMined = deps.chain.findMined
deps.chain.findMined = async (hashes) => {
  reach('chain.findMined:before')
  const result = await findMined(hashes)
  if (result) reach('chain.findMined:after')
  return result
}
const activities = createActivities(arm(deps), config.queues)
const workers = await createWorkers({
  ...{ connection, temporal: config.temporal, activities, queues: config.queues, log },
  workflowBundle: await cachedBundle(),
})
await Promise.all(workers.map((worker) => worker.run()))
process.exit(0)
