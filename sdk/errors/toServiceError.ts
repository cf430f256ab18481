import { ServiceError, type ServiceErrorCode } from './ServiceError.js'

/** Anything thrown, as a ServiceError; `code` is for what is not one yet. */
export function toServiceError(error: unknown, code: ServiceErrorCode = 'http_error'): ServiceError {
  if (error instanceof ServiceError) return error
  return new ServiceError(code, shortMessage(error), { cause: error })
}

/** viem's errors carry a one-line `shortMessage` beside a long report. */
function shortMessage(error: unknown): string {
  const { shortMessage, message } = (error ?? {}) as { shortMessage?: unknown; message?: unknown }
  return String(shortMessage ?? message ?? error)
}
