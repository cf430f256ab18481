import { Worker } from '@temporalio/worker'
import { pino } from 'pino'
import { parseConfig } from '../../../workers/config.js'
import { runWorker } from '../../../workers/runWorker.js'
import { failpointBundle } from './failpointBundle.js'
import { openFailpoints } from './failpoints.js'

/*
 * The worker as production runs it, except that it kills itself at the point that `FAILPOINT_FILE` names. With
 * `WORKFLOWS_IN_MAIN_THREAD` they run there, not in a thread per queue: that takes a sixth less CPU to start.
 */
const file = process.env.FAILPOINT_FILE
if (!file) throw new Error('FAILPOINT_FILE must name a file')
const { armDeps, armWorker } = openFailpoints(file)
const bundle = await failpointBundle()
const create = Worker.create.bind(Worker)
const debugMode = process.env.WORKFLOWS_IN_MAIN_THREAD === 'true'
Worker.create = (options) => create({ ...armWorker(options, bundle), debugMode })
await runWorker(parseConfig(process.env), pino({ level: process.env.LOG_LEVEL ?? 'info' }), armDeps)
