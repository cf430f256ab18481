/**
 * What is recorded. Names never change: add, never rename. Kinds that begin with `operator_` name the operator in `facts`.
 * `wallet_created`, `signature_recorded`, `owners_changed` and `key_resealed` are committed with the record they are about.
 */
export type AuditKind =
  | 'sign_in'
  | 'sign_in_failed'
  | 'sign_out'
  | 'sign_out_everywhere'
  | 'session_ended'
  | 'wallet_created'
  | 'signature_requested'
  | 'signature_recorded'
  | 'owners_change_requested'
  | 'owners_changed'
  | 'key_resealed'
  | 'operator_sessions_ended'
  | 'operator_publish_retried'
  | 'operator_publish_abandoned'
  | 'operator_release_announced'
  | 'operator_release_withdrawn'
  | 'operator_records_recovered'
  | 'operator_node_repinned'
  | 'operator_webhooks_replayed'
  | 'operator_log_accepted'
