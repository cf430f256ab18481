import type { ErrorCode } from '@perigee/core/errors'

/** What every route that has the enclave do something can answer. */
export const enclaveErrors: readonly ErrorCode[] = [
  'idempotency_mismatch',
  'idempotency_in_flight',
  'authorisation_required',
  'authorisation_invalid',
  'authorisation_expired',
  'sealed_key_invalid',
  'coordinator_expired',
  'collateral_stale',
  'enclave_unreachable',
  'service_unavailable',
]

/** What every route that has something signed can answer. */
export const signErrors: readonly ErrorCode[] = [
  'wallet_not_found',
  'chain_not_allowed',
  'statement_expired',
  'request_expired',
  'entropy_unavailable',
  'share_exceeded',
  ...enclaveErrors,
]
