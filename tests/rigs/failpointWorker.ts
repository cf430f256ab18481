import { pino } from 'pino'
import { parseConfig } from '../../workers/config.js'
import { runWorker } from '../../workers/runWorker.js'
import { armFailpoints } from './failpoints.js'

/* The worker as production runs it, except that it kills itself at the point that `FAILPOINT_FILE` names. */
const file = process.env.FAILPOINT_FILE
if (!file) throw new Error('FAILPOINT_FILE must name a file')
const log = pino({ level: process.env.LOG_LEVEL ?? 'info' })
await runWorker(parseConfig(process.env), log, (deps) => armFailpoints(deps, file))
