/** Receipts on their way to IPFS and to the chain. */
export const publishingTables = `
  CREATE TABLE pins (
    cid text NOT NULL,
    node text NOT NULL,
    verified_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (cid, node)
  );
  CREATE TABLE publisher_slots (
    id uuid PRIMARY KEY,
    chain_id bigint NOT NULL,
    sender text NOT NULL CHECK (sender = lower(sender)),
    nonce bigint NOT NULL,
    state text NOT NULL CHECK (state IN ('open', 'confirmed', 'reverted', 'lost')),
    calldata text NOT NULL,
    gas text NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now(),
    UNIQUE (chain_id, sender, nonce)
  );
  CREATE TABLE publisher_transactions (
    tx_hash text PRIMARY KEY,
    slot_id uuid NOT NULL REFERENCES publisher_slots (id),
    raw text NOT NULL,
    max_fee_per_gas text NOT NULL,
    max_priority_fee_per_gas text NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now()
  );
  CREATE INDEX publisher_transactions_slot ON publisher_transactions (slot_id);
  CREATE TABLE publications (
    slug text PRIMARY KEY REFERENCES transactions (slug),
    status text NOT NULL CHECK (status IN ('pending_pin', 'pending_onchain', 'complete', 'pin_failed', 'onchain_failed')),
    status_since timestamptz NOT NULL DEFAULT now(),
    cid text,
    receipt text,
    slot_id uuid REFERENCES publisher_slots (id),
    onchain_tx_hash text,
    onchain_block_number bigint,
    onchain_block_hash text,
    error_code text,
    error_message text,
    abandoned_at timestamptz,
    created_at timestamptz NOT NULL DEFAULT now(),
    CONSTRAINT publications_receipt CHECK ((cid IS NULL) = (receipt IS NULL)),
    CONSTRAINT publications_complete CHECK
      (status <> 'complete' OR (cid IS NOT NULL AND onchain_tx_hash IS NOT NULL AND onchain_block_number IS NOT NULL)),
    CONSTRAINT publications_pinned CHECK (status NOT IN ('pending_onchain', 'onchain_failed') OR cid IS NOT NULL)
  );
  CREATE INDEX publications_unfinished ON publications (status, created_at) WHERE status <> 'complete';
  CREATE INDEX publications_slot ON publications (slot_id);
  CREATE INDEX publications_cid ON publications (cid);
  CREATE INDEX publications_block ON publications (onchain_block_number) WHERE status = 'complete';
  CREATE INDEX publications_since ON publications (status_since) WHERE status = 'complete';
  CREATE INDEX publications_block_hash ON publications (onchain_block_hash);
`
