/**
 * Puts an event behind the last one. The head's row orders the events of all processes, and is locked from here to the end
 * of the transaction. `event_facts` is canonical JSON, and the text that is hashed is that of `auditHash` in core/auditLog.
 */
export const appendAuditEvent = `
  CREATE FUNCTION append_audit_event(event_at text, event_kind text, event_subject text, event_facts text)
  RETURNS bigint LANGUAGE plpgsql VOLATILE AS $$
  DECLARE
    head audit_head;
    next_sequence bigint;
    next_hash bytea;
  BEGIN
    SELECT * INTO head FROM audit_head WHERE id = 1 FOR UPDATE;
    IF NOT FOUND THEN RAISE EXCEPTION 'the audit log has no head'; END IF;
    next_sequence := head.sequence + 1;
    next_hash := sha256(convert_to('perigee.audit.v1' || chr(10), 'UTF8') || head.hash || convert_to(
      format('{"at":%s,"facts":%s,"kind":%s,"sequence":%s,"subject":%s}', to_json(event_at), event_facts,
        to_json(event_kind), next_sequence, coalesce(to_json(event_subject)::text, 'null')), 'UTF8'));
    UPDATE audit_head SET sequence = next_sequence, hash = next_hash WHERE id = 1;
    INSERT INTO audit_events (sequence, at, kind, subject, facts, previous_hash, hash)
      VALUES (next_sequence, event_at::timestamptz, event_kind, event_subject, event_facts::jsonb, head.hash, next_hash);
    RETURN next_sequence;
  END $$
`
