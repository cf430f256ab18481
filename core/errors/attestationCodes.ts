/** Codes of the verifiers in core: what was wrong with a quote, a report, its collateral or a receipt. */
export const attestationCodes = {
  // Input
  parse_failed: { status: 502, retryable: false },
  time_invalid: { status: 400, retryable: false },
  root_invalid: { status: 500, retryable: false },

  // Certificates and revocation (TDX)
  cert_chain: { status: 502, retryable: false },
  cert_expired: { status: 502, retryable: false },
  cert_not_yet_valid: { status: 502, retryable: false },
  cert_revoked: { status: 502, retryable: false },
  crl_invalid: { status: 502, retryable: false },
  crl_expired: { status: 503, retryable: true },
  crl_not_yet_valid: { status: 502, retryable: false },
  signer_role: { status: 502, retryable: false },

  // Collateral
  collateral_expired: { status: 503, retryable: true },
  collateral_not_yet_valid: { status: 502, retryable: false },
  tcb_info_signature: { status: 502, retryable: false },
  qe_identity_signature: { status: 502, retryable: false },
  tcb_info_mismatch: { status: 502, retryable: false },
  fmspc_mismatch: { status: 502, retryable: false },
  pce_id_mismatch: { status: 502, retryable: false },

  // Quote
  qe_report_signature: { status: 502, retryable: false },
  qe_report_data: { status: 502, retryable: false },
  qe_identity: { status: 502, retryable: false },
  quote_signature: { status: 502, retryable: false },
  tdx_module_identity: { status: 502, retryable: false },
  tcb_not_supported: { status: 502, retryable: false },
  tcb_revoked: { status: 502, retryable: false },
  td_debug: { status: 502, retryable: false },
  td_reserved_attributes: { status: 502, retryable: false },
  td_sept_ve_disable: { status: 502, retryable: false },
  td_service_td: { status: 502, retryable: false },

  // SEV-SNP
  vek_chain: { status: 502, retryable: false },
  vek_expired: { status: 502, retryable: false },
  vek_not_yet_valid: { status: 502, retryable: false },
  vek_revoked: { status: 502, retryable: false },
  report_signature: { status: 502, retryable: false },
  product_mismatch: { status: 502, retryable: false },
  tcb_mismatch: { status: 502, retryable: false },
  chip_id_mismatch: { status: 502, retryable: false },
  policy_debug: { status: 502, retryable: false },
  policy_migration: { status: 502, retryable: false },
  vmpl_mismatch: { status: 502, retryable: false },

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
  release_missing: { status: 422, retryable: false },
  event_mismatch: { status: 422, retryable: false },
  trust_anchors_invalid: { status: 422, retryable: false },
  root_not_trusted: { status: 422, retryable: false },
  simulated_mismatch: { status: 422, retryable: false },
  evidence_missing: { status: 422, retryable: false },
  step_not_run: { status: 422, retryable: false },
} as const satisfies Record<string, { status: number; retryable: boolean }>
