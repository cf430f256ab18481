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
  'collateral_rollback',
  'collateral_unavailable',
  'enclave_unreachable',
  'enclave_busy',
  'enclave_refused',
  'statement_invalid',
  'binding_mismatch',
  'measurement_unknown',
  'build_withdrawn',
  'event_log_invalid',
  'app_id_mismatch',
  'key_provider_mismatch',
  'key_provider_missing',
  'key_provider_development',
  'platform_not_allowed',
  'tcb_not_allowed',
  'development_root',
  'service_unavailable',
]

/** What a step that needs a fresh sample can answer. */
export const entropyErrors: readonly ErrorCode[] = [
  'entropy_unavailable',
  'entropy_untrusted',
  'entropy_stale',
  'entropy_reused',
  'entropy_invalid',
]

/** What every route that has something signed can answer. */
export const signErrors: readonly ErrorCode[] = [
  'wallet_not_found',
  'chain_not_allowed',
  'statement_expired',
  'request_expired',
  ...entropyErrors,
  'share_exceeded',
  ...enclaveErrors,
]

/** What can be wrong with a transaction to sign. */
export const transactionErrors: readonly ErrorCode[] = [
  'digest_mismatch',
  'transaction_invalid',
  'transaction_type_unsupported',
  'fee_out_of_range',
  'value_out_of_range',
  'insufficient_funds',
]
