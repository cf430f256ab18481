import { pino, type DestinationStream, type Logger } from 'pino'

/** JSON lines on standard output. Nothing secret is handed to it; the redaction is a second net, not the first. */
export function createLogger(level: string, destination?: DestinationStream): Logger {
  const options = {
    level,
    base: { program: 'api' },
    redact: ['req', 'res', 'headers', 'cookie', 'email', '*.cookie', '*.email', '*.headers', '*.access_token'],
    timestamp: pino.stdTimeFunctions.isoTime,
  }
  return destination ? pino(options, destination) : pino(options)
}
