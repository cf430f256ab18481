import type { MigrationInterface, QueryRunner } from 'typeorm'

/**
 * Gives a nonce to proofs, in one question instead of six: the lock on a publishing key is then not held while answers
 * travel. Answers the nonce that is next: the slot is open when that is the one it asked for, and otherwise nothing has
 * happened. NULL when one of the proofs is not free, or the slot that one leaves (`former`) is not spent any more.
 *
 * Each lock is a statement of its own, and what is decided is read by it (which waits, and then looks at the rows anew)
 * or after it: a statement that waits for a lock in one of its parts reads the rest as it was before it waited.
 */
const openPublisherSlot = `
  CREATE FUNCTION open_publisher_slot(
    slot publisher_slots, offer publisher_transactions, slugs text[], former uuid, mined bigint
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

    -- The former slot is locked first, here and where it is opened again.
    IF former IS NOT NULL THEN
      PERFORM 1 FROM publisher_slots s WHERE s.id = former AND s.state IN ('reverted', 'lost') FOR UPDATE;
      IF NOT FOUND THEN RETURN NULL; END IF;
    END IF;
    PERFORM 1 FROM publications p
      WHERE p.slug = ANY(slugs) AND p.status = 'pending_onchain' AND (p.slot_id IS NULL OR p.slot_id = former)
      ORDER BY p.slug FOR UPDATE;
    GET DIAGNOSTICS found_rows = ROW_COUNT;
    IF found_rows <> cardinality(slugs) THEN RETURN NULL; END IF;

    INSERT INTO publisher_slots SELECT slot.*;
    INSERT INTO publisher_transactions SELECT offer.*;
    UPDATE publications p SET slot_id = slot.id WHERE p.slug = ANY(slugs);
    GET DIAGNOSTICS found_rows = ROW_COUNT;
    -- The transaction carries them all: a slot that has only some of them must not be.
    IF found_rows <> cardinality(slugs) THEN
      RAISE EXCEPTION 'a proof that was locked for a slot was not given to it';
    END IF;
    RETURN due;
  END $$`

export class OpenSlot1700000000030 implements MigrationInterface {
  readonly name = 'OpenSlot1700000000030'

  async up(db: QueryRunner): Promise<void> {
    await db.query(openPublisherSlot)
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query('DROP FUNCTION open_publisher_slot')
  }
}
