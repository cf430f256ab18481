/** What is recorded. Names are kept for ever: add, never rename. Those that begin with `operator_` name who did it in `facts`. */
export type AuditKind =
  | 'sign_in'
  | 'sign_in_failed'
  | 'sign_out'
  | 'sign_out_everywhere'
  | 'session_ended'
  | 'wallet_released'
  | 'signature_released' // of earlier versions, which wrote it after the signature
  | 'signature_requested'
  | 'operator_sessions_ended'
  | 'operator_publish_retried'
  | 'operator_publish_abandoned'
