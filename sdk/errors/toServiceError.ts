import { ServiceError, type ServiceErrorCode } from './ServiceError.js'

/** Turns anything thrown into a ServiceError. `code` is for errors that have none. */
export function toServiceError(error: unknown, code: ServiceErrorCode = 'http_error'): ServiceError {
  if (error instanceof ServiceError) return error
  // viem's errors have a one-line `shortMessage` beside a long report. Errors of code that is loaded on demand have a `remedy`.
  const known = Object(error) as Partial<ServiceError> & { shortMessage?: string }
  const { remedy, recoveryCode, shortMessage, message } = known
  return new ServiceError((remedy && known.code) || code, String(shortMessage ?? message ?? error), {
    ...(remedy && known),
    recoveryCode,
    cause: error,
  })
}
