import { pino, type DestinationStream, type Logger } from 'pino'

/** JSON lines on standard output. Callers pass no secrets; the redaction is a second safeguard. */
export function createLogger(level: string, destination?: DestinationStream): Logger {
  const options = {
    level,
    base: { program: 'api' },
    redact: ['req', 'res', 'headers', 'cookie', 'email', '*.cookie', '*.email', '*.headers', '*.access_token'],
    timestamp: pino.stdTimeFunctions.isoTime,
  }
  return destination ? pino(options, destination) : pino(options)
}
