import { remedyFor } from './remedies.js'

/** Codes made by the SDK itself. Codes of the service pass through as they come. */
export type SdkErrorCode =
  | 'network_error'
  | 'timeout'
  | 'aborted'
  | 'bad_response'
  | 'http_error'
  | 'wallet_not_ready'
  | 'account_changed'
  | 'transaction_invalid'
  | 'rpc_url_required'
  | 'rpc_error'
  | 'insufficient_funds'
  | 'gas_too_low'
  | 'broadcast_failed'
  | 'proof_timeout'
  | 'confirmation_declined'
  | 'authorisation_declined'
  | 'passkey_unsupported'
  | 'passkey_unknown'
  | 'passkey_exists'
  | 'recovery_code_invalid'
  | 'owners_uncertain'
  | 'wallet_exists'

/** Any code: the SDK's, known to the compiler, or one of the service's catalogue. */
export type ServiceErrorCode =
  | SdkErrorCode
  | 'not_signed_in'
  | 'wallet_not_found'
  | 'proof_not_found'
  | 'authorisation_required'
  | 'authorisation_expired'
  | 'owners_changed'
  | (string & {})

/** What else is known about an error. Public values only. */
export interface ServiceErrorDetails {
  status?: number | null
  requestId?: string | null
  retryAfterMs?: number | null
  facts?: Record<string, unknown>
  /** Instead of the usual advice for this code. */
  remedy?: string | undefined
  recoveryCode?: string | null | undefined
  cause?: unknown
}

/** The one error of this package. Branch on `code`; show `message` and `remedy` to people. */
export class ServiceError extends Error {
  override readonly name = 'ServiceError'
  /** Stable, for programs. */
  readonly code: ServiceErrorCode
  /** HTTP status, or null when the service did not answer. */
  readonly status: number | null
  /** Names this request in the service's logs. */
  readonly requestId: string | null
  /** How long the service asked to wait. */
  readonly retryAfterMs: number | null
  readonly facts: Record<string, unknown>
  /** What the person can do about it, in one sentence. */
  readonly remedy: string
  readonly #recoveryCode: string | null

  constructor(code: ServiceErrorCode, message: string, details: ServiceErrorDetails = {}) {
    super(message, { cause: details.cause })
    this.code = code
    this.status = details.status ?? null
    this.requestId = details.requestId ?? null
    this.retryAfterMs = details.retryAfterMs ?? null
    this.facts = details.facts ?? {}
    this.remedy = details.remedy ?? remedyFor(code, this.status)
    this.#recoveryCode = details.recoveryCode ?? null
  }

  /**
   * A recovery code that may be valid by now: show it, nobody can show it again. Set only with `owners_uncertain`. Logs
   * and JSON of this error do not contain it.
   */
  get recoveryCode(): string | null {
    return this.#recoveryCode
  }

  /** True when asking the same thing again may succeed. */
  get retryable(): boolean {
    return this.code === 'network_error' || this.code === 'timeout' || [429, 502, 503, 504].includes(this.status ?? 0)
  }
}

/** Turns anything thrown into a ServiceError. `code` is for errors that are none. */
export function toServiceError(error: unknown, code: ServiceErrorCode = 'http_error'): ServiceError {
  if (error instanceof ServiceError) return error
  // viem's errors have a one-line `shortMessage` beside a long report.
  const { shortMessage, message } = Object(error) as { shortMessage?: string; message?: string }
  return new ServiceError(code, String(shortMessage ?? message ?? error), { cause: error })
}

/** Thrown when there is no wallet to sign with. The message is the code: applications match on it. */
export function walletNotReady(): ServiceError {
  return new ServiceError('wallet_not_ready', 'wallet_not_ready')
}
