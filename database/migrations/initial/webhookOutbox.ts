/**
 * Writes an event for every application that wants it, in the transaction that makes it true: whatever statement does
 * that, in whatever program, an event is neither lost nor told too early. Without applications nothing is written.
 *
 * Only identifiers that anyone can see are told: no user, no e-mail address, and of a message nothing but its proof.
 */
export const webhookOutbox = `
  -- 'occasion' tells apart events of one type: the same occasion gives the same id, and is told once.
  CREATE FUNCTION enqueue_webhook(kind text, wallet uuid, occasion text, about json) RETURNS void LANGUAGE sql AS $$
    INSERT INTO webhook_deliveries (event_id, application, type, data)
    SELECT 'evt_' || encode(sha256(convert_to(kind || '/' || occasion, 'UTF8')), 'hex'), a.name, kind,
           jsonb_strip_nulls(about::jsonb)
      FROM webhook_applications a
     WHERE kind = ANY(a.events) AND a.lapses_at > now() AND (a.wallets_of IS NULL OR EXISTS (
             SELECT 1 FROM wallets w JOIN users u ON u.id = w.user_id
              WHERE w.id = wallet AND u.issuer = ANY(a.wallets_of)))
    ON CONFLICT DO NOTHING
  $$;

  CREATE FUNCTION tell_proof() RETURNS trigger LANGUAGE plpgsql AS $$
  DECLARE
    owner text;
  BEGIN
    IF NOT EXISTS (SELECT 1 FROM webhook_applications) THEN RETURN NULL; END IF;
    SELECT w.address INTO owner FROM wallets w WHERE w.id = NEW.wallet_id;
    IF NEW.status = 'complete' THEN
      -- After a reorg the proof is complete a second time: another event where it says something else, the same one where not.
      PERFORM enqueue_webhook('proof.complete', NEW.wallet_id,
        concat_ws('/', NEW.slug, NEW.cid, NEW.onchain_tx_hash, NEW.onchain_block_number),
        json_build_object('slug', NEW.slug, 'kind', NEW.kind, 'wallet', owner, 'chainId', nullif(NEW.chain_id, 0),
          'txHash', CASE NEW.kind WHEN 'transaction' THEN NEW.tx_hash END, 'ipfsCid', NEW.cid,
          'onchainTxHash', NEW.onchain_tx_hash, 'onchainBlockNumber', NEW.onchain_block_number));
    ELSE
      PERFORM enqueue_webhook('proof.failed', NEW.wallet_id, concat_ws('/', NEW.slug, NEW.status, extract(epoch FROM now())),
        json_build_object('slug', NEW.slug, 'kind', NEW.kind, 'wallet', owner, 'chainId', nullif(NEW.chain_id, 0),
          'status', NEW.status, 'code', NEW.error_code));
    END IF;
    RETURN NULL;
  END $$;
  CREATE TRIGGER tell_proof AFTER UPDATE OF status ON publications FOR EACH ROW
    WHEN (NEW.status IN ('complete', 'pin_failed', 'onchain_failed') AND NEW.status <> OLD.status)
    EXECUTE FUNCTION tell_proof();

  CREATE FUNCTION tell_wallet() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    IF NOT EXISTS (SELECT 1 FROM webhook_applications) THEN RETURN NULL; END IF;
    IF TG_OP = 'INSERT' THEN
      PERFORM enqueue_webhook('wallet.created', NEW.id, NEW.address, json_build_object('address', NEW.address));
    ELSE
      PERFORM enqueue_webhook('owners.changed', NEW.id, concat_ws('/', NEW.address, NEW.owners->>'sequence'),
        json_build_object('address', NEW.address, 'sequence', (NEW.owners->>'sequence')::bigint));
    END IF;
    RETURN NULL;
  END $$;
  CREATE TRIGGER tell_wallet_created AFTER INSERT ON wallets FOR EACH ROW EXECUTE FUNCTION tell_wallet();
  CREATE TRIGGER tell_owners_changed AFTER UPDATE OF owners ON wallets FOR EACH ROW
    WHEN (NEW.owners IS DISTINCT FROM OLD.owners) EXECUTE FUNCTION tell_wallet();
`
