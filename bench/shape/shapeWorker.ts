import { DefaultLogger, NativeConnection, Runtime } from '@temporalio/worker'
import { pino } from 'pino'
import { EnvReader } from '@perigee/core/config'
import { connectionOptions, parseTemporalConfig } from '../../temporal/index.js'
import { createWorkers } from '../../workers/createWorkers.js'
import { createFloorSteps, type FloorEnclave } from '../floor/floorSteps.js'
import { createShapeActivities } from './shapeActivities.js'

/*
 * A worker with the settings of the service's own, in a process and a namespace of its own, for workflows that do
 * nothing. Tells its parent when it is ready, and the slug of each publication that has reached its last step.
 */
const codePath = process.env['SHAPE_BUNDLE'] ?? ''
const config = parseTemporalConfig(new EnvReader(process.env))
const { namespace, codecKeys } = config
const { awaitBroadcast, pinReceipt, publishOnchain, ...empty } = createShapeActivities((slug) => process.send?.(slug))
const { FLOOR_DATABASE: database, FLOOR_ENCLAVE: enclave } = process.env
const steps = database && enclave ? createFloorSteps(database, JSON.parse(enclave) as FloorEnclave) : empty
const activities = {
  sign: steps,
  publish: { pinReceipt },
  chain: { awaitBroadcast, publishOnchain },
}

Runtime.install({ logger: new DefaultLogger('ERROR') })
const workers = await createWorkers({
  connection: await NativeConnection.connect(connectionOptions(config)),
  temporal: { namespace, codecKeys },
  activities: activities as never, // these have the names of the service's, not their types
  queues: ['sign', 'publish', 'chain'],
  workflowBundle: { codePath },
  log: pino({ level: 'silent' }),
})
setTimeout(() => process.send?.('ready'), 200) // its pollers need a moment
await Promise.all(workers.map((worker) => worker.run()))
