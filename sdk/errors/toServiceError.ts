import { ServiceError, type ServiceErrorCode } from './ServiceError.js'

/** Anything thrown, as a ServiceError; `code` is for what has none yet. */
export function toServiceError(error: unknown, code: ServiceErrorCode = 'http_error'): ServiceError {
  if (error instanceof ServiceError) return error
  // viem's errors carry a one-line `shortMessage` beside a long report; those of code loaded on demand a remedy.
  const known = Object(error) as { shortMessage?: string; message?: string; code?: string; remedy?: string }
  const { remedy, shortMessage, message } = known
  return new ServiceError((remedy && known.code) || code, String(shortMessage ?? message ?? error), {
    ...(remedy && known),
    cause: error,
  })
}
