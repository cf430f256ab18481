import { pino, type DestinationStream, type Logger } from 'pino'

const names = [
  'req',
  'res',
  'headers',
  'cookie',
  'email',
  'access_token',
  'message',
  'typedData',
  'salt',
  'signature',
  'opening',
]

/** JSON lines on standard output. Callers pass no secrets; the redaction is a second safeguard. */
export function createLogger(level: string, destination?: DestinationStream): Logger {
  const options = {
    level,
    base: { program: 'api' },
    redact: names.flatMap((name) => [name, `*.${name}`]),
    timestamp: pino.stdTimeFunctions.isoTime,
  }
  return pino(options, destination)
}
