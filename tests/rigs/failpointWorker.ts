import { pino } from 'pino'
import { parseConfig } from '../../workers/config.js'
import { openWorkers } from '../../workers/openWorkers.js'
import { armFailpoints } from './failpoints.js'

/* The worker as production runs it, except that it kills itself at the point that `FAILPOINT_FILE` names. */
const file = process.env.FAILPOINT_FILE
if (!file) throw new Error('FAILPOINT_FILE must name a file')
const workers = await openWorkers(parseConfig(process.env), pino({ level: process.env.LOG_LEVEL ?? 'info' }), {
  shutdownSignals: ['SIGTERM', 'SIGINT'],
  prepare: (deps) => armFailpoints(deps, file),
})
await workers.run()
