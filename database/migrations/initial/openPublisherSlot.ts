/**
 * Gives a nonce to proofs in one round trip instead of six, so that the lock on a publishing key is not held while
 * answers travel. Returns the next nonce: the slot is open when that is the one it asked for; otherwise nothing has
 * happened. NULL when one of the proofs is taken, when its receipt has another CID by now than the one that the
 * transaction carries, or when the slot that one of them leaves (`former`) is open again.
 *
 * Each lock is a statement of its own, and decisions read rows in that statement or after it: a statement that waits
 * for a lock in one part reads its other parts as they were before it waited.
 */
export const openPublisherSlot = `
  CREATE FUNCTION open_publisher_slot(
    slot publisher_slots, offer publisher_transactions, slugs text[], cids text[], former uuid, mined bigint
  ) RETURNS bigint LANGUAGE plpgsql VOLATILE AS $$
  DECLARE
    due bigint;
    found_rows bigint;
  BEGIN
    PERFORM pg_advisory_xact_lock(hashtextextended('publisher/' || slot.chain_id || '/' || slot.sender, 0));
    -- Never a nonce that we have given out, never one that the chain has seen used.
    SELECT greatest(coalesce(max(s.nonce) + 1, 0), mined) INTO due
      FROM publisher_slots s WHERE s.chain_id = slot.chain_id AND s.sender = slot.sender;
    IF due <> slot.nonce THEN RETURN due; END IF;

    -- The former slot is locked first, here and where it is reopened.
    IF former IS NOT NULL THEN
      PERFORM 1 FROM publisher_slots s WHERE s.id = former AND s.state IN ('reverted', 'lost') FOR UPDATE;
      IF NOT FOUND THEN RETURN NULL; END IF;
    END IF;
    PERFORM 1 FROM publications p
      WHERE p.slug = ANY(slugs) AND p.cid = cids[array_position(slugs, p.slug)]
        AND p.status = 'pending_onchain' AND (p.slot_id IS NULL OR p.slot_id = former)
      ORDER BY p.slug FOR UPDATE;
    GET DIAGNOSTICS found_rows = ROW_COUNT;
    IF found_rows <> cardinality(slugs) THEN RETURN NULL; END IF;

    INSERT INTO publisher_slots SELECT slot.*;
    INSERT INTO publisher_transactions SELECT offer.*;
    UPDATE publications p SET slot_id = slot.id WHERE p.slug = ANY(slugs);
    GET DIAGNOSTICS found_rows = ROW_COUNT;
    -- The transaction carries all of them: a slot with only some of them must not exist.
    IF found_rows <> cardinality(slugs) THEN
      RAISE EXCEPTION 'a proof that was locked for a slot was not given to it';
    END IF;
    RETURN due;
  END $$
`
