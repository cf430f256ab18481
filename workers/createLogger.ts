import { pino, type DestinationStream, type Logger } from 'pino'
import { describeError } from '@perigee/core/errors'

/** JSON lines on standard output. Of errors only the words: the database's hold the rows, signed transactions included. */
export function createLogger(level: string, destination?: DestinationStream): Logger {
  const options = {
    level,
    base: { program: 'worker' },
    serializers: { err: describeError, temporal: describeErrorsIn },
    timestamp: pino.stdTimeFunctions.isoTime,
  }
  return pino(options, destination)
}

/** Lines that come through Temporal's logger, of activities too, have their errors among their other facts. */
function describeErrorsIn(facts: Record<string, unknown> = {}): Record<string, unknown> {
  const described = ([key, value]: [string, unknown]) => [key, value instanceof Error ? describeError(value) : value]
  return Object.fromEntries(Object.entries(facts).map(described)) as Record<string, unknown>
}
