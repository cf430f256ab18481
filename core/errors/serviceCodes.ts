/** Codes of the service itself: HTTP, workflows, enclave channel, entropy, publishing. */
export const serviceCodes = {
  // Asking
  invalid_request: { status: 400, retryable: false },
  not_found: { status: 404, retryable: false },
  method_not_allowed: { status: 405, retryable: false },
  payload_too_large: { status: 413, retryable: false },
  unsupported_media_type: { status: 415, retryable: false },
  rate_limited: { status: 429, retryable: true },
  idempotency_mismatch: { status: 422, retryable: false },
  idempotency_in_flight: { status: 409, retryable: true },
  internal_error: { status: 500, retryable: false },
  service_unavailable: { status: 503, retryable: true },

  // Who is asking
  not_signed_in: { status: 401, retryable: false },
  origin_not_allowed: { status: 403, retryable: false },
  provider_unknown: { status: 404, retryable: false },
  return_to_not_allowed: { status: 400, retryable: false },
  sign_in_failed: { status: 400, retryable: false },
  sign_in_expired: { status: 400, retryable: false },
  sign_in_refused: { status: 403, retryable: false },
  email_not_verified: { status: 403, retryable: false },
  provider_unavailable: { status: 503, retryable: true },

  // Wallets and signing
  wallet_not_found: { status: 404, retryable: false },
  proof_not_found: { status: 404, retryable: false },
  digest_mismatch: { status: 422, retryable: false },
  transaction_invalid: { status: 422, retryable: false },
  transaction_type_unsupported: { status: 422, retryable: false },
  chain_not_allowed: { status: 422, retryable: false },
  fee_out_of_range: { status: 422, retryable: false },
  value_out_of_range: { status: 422, retryable: false },
  request_expired: { status: 408, retryable: false },
  signature_invalid: { status: 500, retryable: false },

  // Enclave
  enclave_unreachable: { status: 503, retryable: true },
  enclave_busy: { status: 503, retryable: true },
  enclave_refused: { status: 502, retryable: false },
  sealed_key_invalid: { status: 500, retryable: false },
  nonce_replayed: { status: 409, retryable: false },
  client_not_authenticated: { status: 401, retryable: false },
  binding_mismatch: { status: 502, retryable: false },
  release_invalid: { status: 500, retryable: false },
  measurement_unknown: { status: 502, retryable: false },
  platform_not_allowed: { status: 502, retryable: false },
  tcb_not_allowed: { status: 502, retryable: false },
  collateral_stale: { status: 503, retryable: true },
  collateral_rollback: { status: 503, retryable: true },
  collateral_unavailable: { status: 503, retryable: true },
  development_root: { status: 502, retryable: false },

  // Entropy
  entropy_unavailable: { status: 503, retryable: true },
  entropy_untrusted: { status: 502, retryable: false },
  entropy_stale: { status: 502, retryable: true },
  entropy_reused: { status: 409, retryable: true },
  entropy_invalid: { status: 502, retryable: true },

  // Publishing
  pin_rejected: { status: 502, retryable: false },
  pin_unavailable: { status: 503, retryable: true },
  cid_mismatch: { status: 502, retryable: false },
  chain_unavailable: { status: 503, retryable: true },
  publish_reverted: { status: 502, retryable: false },
  publish_unconfirmed: { status: 503, retryable: true },
  publisher_balance_low: { status: 503, retryable: true },
  chain_mismatch: { status: 502, retryable: false },
  publish_abandoned: { status: 410, retryable: false },
} as const satisfies Record<string, { status: number; retryable: boolean }>
