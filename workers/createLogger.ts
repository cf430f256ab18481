import { pino, type DestinationStream, type Logger } from 'pino'
import { describeError } from '@perigee/core/errors'

/** JSON lines on standard output. Of errors only the words: the database's hold the rows, signed transactions included. */
export function createLogger(level: string, destination?: DestinationStream): Logger {
  const options = {
    level,
    base: { program: 'worker' },
    serializers: { err: describeError },
    timestamp: pino.stdTimeFunctions.isoTime,
  }
  return destination ? pino(options, destination) : pino(options)
}
