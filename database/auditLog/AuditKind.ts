/** What is recorded. Names never change: add, never rename. Kinds that begin with `operator_` name the operator in `facts`. */
export type AuditKind =
  | 'sign_in'
  | 'sign_in_failed'
  | 'sign_out'
  | 'sign_out_everywhere'
  | 'session_ended'
  | 'wallet_released'
  | 'signature_requested'
  | 'owners_change_requested'
  | 'owners_changed'
  | 'operator_sessions_ended'
  | 'operator_publish_retried'
  | 'operator_publish_abandoned'
