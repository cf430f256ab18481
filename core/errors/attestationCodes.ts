/** Codes of the verifiers in core: what was wrong with a quote, a report, its collateral or a receipt. */
export const attestationCodes = {
  parse_failed: { status: 502, retryable: false },
  // Receipts
  receipt_too_large: { status: 413, retryable: false },
  receipt_not_canonical: { status: 422, retryable: false },
  receipt_invalid: { status: 422, retryable: false },
  public_key_mismatch: { status: 422, retryable: false },
  tx_hash_mismatch: { status: 422, retryable: false },
  coordinator_binding_mismatch: { status: 422, retryable: false },
  claim_mismatch: { status: 422, retryable: false },
  times_inconsistent: { status: 422, retryable: false },
  event_missing: { status: 422, retryable: false },
  event_mismatch: { status: 422, retryable: false },
  trust_anchors_invalid: { status: 422, retryable: false },
  root_not_trusted: { status: 422, retryable: false },
  simulated_mismatch: { status: 422, retryable: false },
  evidence_missing: { status: 422, retryable: false },
  step_not_run: { status: 422, retryable: false },
} as const satisfies Record<string, { status: number; retryable: boolean }>
